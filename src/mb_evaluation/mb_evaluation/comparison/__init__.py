"""Several filters on the readings of one bag, side by side."""
