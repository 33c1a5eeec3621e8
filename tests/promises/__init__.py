"""What kdmlog promises; ``python -m tests.promises`` holds all and prints what it measured."""
