"""Sensors that read one number of q each, for mechanisms whatever their files say of sensors."""

from mb_sensors import Sensor
from mb_sensors.kind_parts.channel import channel_of
from mb_sensors.kinds import channel_kinds
from mb_sensors.noise_settings import NoiseSettings


def coordinate_readings(places, sigma):
    """Return a Sensor for each place in q, with noise of a standard deviation sigma."""
    number, places = channel_kinds()['LINEAR_ENCODER'], [int(place) for place in places]
    return [Sensor(f'q{place}', 'linear_encoder', '', (f'q{place}',), 'm',
                   NoiseSettings(sigma=sigma), channel_of(number, coordinate=place),
                   f'q{place}') for place in places]


def readings_of_z(mechanism, sigma):
    """Return the Sensors of all degrees of freedom."""
    return coordinate_readings(mechanism.model['independent'][0, :mechanism.g].tolist(), sigma)
