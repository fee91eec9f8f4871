"""Pressure sensor: a pressure of oil, which the motion of the mechanism does not determine."""

UNIT = 'Pa'


def read(mount):
    """Take `volume`, if it is one of the circuit; no records: readings need the true pressure."""
    return mount.volume('volume'), {}
