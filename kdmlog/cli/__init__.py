"""The command line: turns words into actions, and states into sights. It knows no rule."""

import gc

# A command makes much that stays and little garbage: looking for it while modules load takes time.
gc.set_threshold(50_000)
