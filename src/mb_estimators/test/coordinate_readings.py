"""Sensors that read one number of q each, for mechanisms whatever their files say of sensors."""

from mb_sensors import Sensor
from mb_sensors.kind_parts.channel import channel_of
from mb_sensors.kinds import channel_kinds
from mb_sensors.sensor import NoiseSettings


def coordinate_readings(places, sigma):
    """Return a Sensor for each place in q, with noise of a standard deviation sigma."""
    number, places = channel_kinds()['LINEAR_ENCODER'], [int(place) for place in places]
    found = []
    for place in places:
        record = channel_of(number, coordinate=place)
        found.append(Sensor(
            name=f'q{place}', kind='linear_encoder', body='', channels=(f'q{place}',), unit='m',
            settings=NoiseSettings(sigma=sigma), records=record, actual=record, topic=f'q{place}',
            dimension=3))
    return found


def readings_of_z(mechanism, sigma):
    """Return the Sensors of all degrees of freedom."""
    return coordinate_readings(mechanism.model['independent'][0, :mechanism.g].tolist(), sigma)
