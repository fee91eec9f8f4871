"""What reports of all kinds of runs have in common."""
