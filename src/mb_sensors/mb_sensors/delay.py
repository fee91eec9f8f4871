"""How late the readings of a simulated sensor arrive."""

from mb_sensors.noise import stream_key, uniform
from mb_sensors.sampling import NANOSECONDS


class SensorDelay:
    """Delays the readings of one sensor, each as seed, sensor and number decide.

    None overtakes the one before.
    """

    def __init__(self, settings, seed, sensor):
        """Set up by the NoiseSettings of a sensor, by name."""
        self._least = round(settings.delay * NANOSECONDS)
        self._spread = settings.delay_spread * NANOSECONDS
        self._key = stream_key(seed, f'{sensor}/delay')
        self.last = 0       # when the last one arrived [ns]

    def arrival(self, stamp, number):
        """Return when a reading, taken at a stamp [ns], arrives [ns]; ask in their order."""
        arrival = stamp + self._least
        if self._spread:
            arrival += round(self._spread * uniform(self._key, number))
        if arrival > self.last:
            self.last = arrival
        return self.last
