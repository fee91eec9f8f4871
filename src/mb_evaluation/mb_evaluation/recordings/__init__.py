"""Recordings without a truth: what estimates and readings in a bag say by themselves."""
