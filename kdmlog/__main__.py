"""``python -m kdmlog`` is the command line."""

from kdmlog.cli.main import main

main()
