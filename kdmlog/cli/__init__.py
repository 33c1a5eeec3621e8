"""The command line: turns words into actions, and states into sights. It knows no rule."""

import gc
import sys
from contextlib import suppress

# A command makes much that stays and little garbage: looking for it while modules load takes time.
gc.set_threshold(50_000)

# msgspec has typing for what it does not find in typing_extensions, which takes longer to import
# than msgspec itself.
if "typing_extensions" not in sys.modules:
    sys.modules["typing_extensions"] = None  # type: ignore[assignment] # it cannot be imported
    with suppress(ImportError):
        import msgspec  # noqa: F401
    del sys.modules["typing_extensions"]
