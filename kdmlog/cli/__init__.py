"""The command line: turns words into actions, and states into sights. It knows no rule."""
