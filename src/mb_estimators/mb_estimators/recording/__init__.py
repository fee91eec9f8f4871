"""Stamped readings of sensors, recorded for later estimation."""
