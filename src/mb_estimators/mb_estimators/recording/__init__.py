"""Stamped readings of sensors, to be estimated from after the event."""
