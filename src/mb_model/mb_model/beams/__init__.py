"""Flexible bodies: beams that bend in assumed modes in a frame that floats with them."""
