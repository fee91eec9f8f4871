"""The kinds of sensors that mechanism files may name; one file per kind.

A kind is a module with UNIT and `read(mount)`, which takes what it needs from a Mounting, and
returns what the sensor sits on (a body, a fluid volume; empty for none) and one CHANNEL record per
quantity it measures, by the name of that quantity ('' for the only one).
"""

from mb_sensors.kinds import (
    accelerometer,
    angle_encoder,
    distance,
    gyroscope,
    linear_encoder,
    position,
    pressure,
    relative_angle_encoder,
)

KINDS = {
    'angle_encoder': angle_encoder, 'relative_angle_encoder': relative_angle_encoder,
    'linear_encoder': linear_encoder, 'gyroscope': gyroscope, 'accelerometer': accelerometer,
    'distance': distance, 'position': position, 'pressure': pressure}
