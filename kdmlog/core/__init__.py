"""The pure core: requests, procedures, events, dice and decks; no I/O, no clock, no chance."""
