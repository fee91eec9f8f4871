"""What authors of filters use of the sensors: the equations of all kinds of readings."""

from typing import TYPE_CHECKING

from mb_model.exports import exports

if TYPE_CHECKING:
    from mb_sensors.kind_parts.channel import CHANNELS
    from mb_sensors.kind_parts.rotations import refer_to
    from mb_sensors.kinds import channel_kinds, nothing_record
    from mb_sensors.measurement import (
        difference,
        measure,
        measurement_jacobian,
        reads_accelerations,
        reads_velocities,
        what_is_read,
    )
    from mb_sensors.warm_up import warm_up, warm_up_readings
else:
    EXPORTS, __all__, __getattr__ = exports(__name__)
