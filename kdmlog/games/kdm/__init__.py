"""Kingdom Death: Monster."""
