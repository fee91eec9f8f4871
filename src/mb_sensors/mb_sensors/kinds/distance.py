"""Distance sensor: how far two places are apart (draw wire, laser, cylinder)."""

from mb_sensors.kernels.distance import DISTANCE
from mb_sensors.kinds.record import channel_record

UNIT = 'm'


def read(mount):
    """Take `points`, two places."""
    first, second = mount.two('points', mount.one_place)
    others = {f'other_{name}': value for name, value in second.items()}
    return '', {'': channel_record(DISTANCE, **first, **others)}
