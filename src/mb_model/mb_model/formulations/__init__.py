"""Formulations of the equations of motion: what one is; each is a file of `kinds`."""
