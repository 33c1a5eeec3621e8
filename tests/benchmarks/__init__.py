"""Measures the goals of performance: each as a ratio to something simpler, in one run."""
