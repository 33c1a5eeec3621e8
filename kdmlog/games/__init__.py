"""The games kdmlog plays, one package each; none knows another."""
