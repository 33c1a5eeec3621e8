"""kdmlog keeps what happened at the table, and derives everything else."""

__version__ = "0.1.0"
