"""The kinds of sensors that mechanism files may name; one file per kind.

A kind is a module with UNIT and `records(mechanism, body)`, which returns one CHANNEL per quantity
that the sensor measures.  ON_BODY tells whether such a sensor sits on a body.
"""

from mb_sensors.kinds import angle_encoder, gyroscope, pressure

KINDS = {'angle_encoder': angle_encoder, 'gyroscope': gyroscope, 'pressure': pressure}
