"""Pressure sensor: a pressure that the motion of the mechanism does not determine."""

UNIT = 'Pa'


def read(mount):
    """Return no records: readings need a true pressure from elsewhere."""
    return '', {}
