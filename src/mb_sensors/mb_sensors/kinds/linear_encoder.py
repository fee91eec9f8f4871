"""Linear encoder: a coordinate that is a length, as the position along a slider."""

from mb_sensors.kernels.measurement import COORDINATE
from mb_sensors.kinds.record import channel_record

UNIT = 'm'


def read(mount):
    """Take `coordinate`."""
    return '', {'': channel_record(COORDINATE, coordinate=mount.length_coordinate('coordinate'))}
