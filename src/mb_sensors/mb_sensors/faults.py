"""What befalls readings of simulated sensors on demand: dead, stuck, offset, spikes; and delays."""

from collections.abc import Sequence
from dataclasses import dataclass

from mb_model import Settings, setting
from mb_model.arrays import FloatArray
from mb_sensors.noise import stream_key, uniform
from mb_sensors.sampling import NANOSECONDS
from mb_sensors.sensor import NoiseSettings


@dataclass(frozen=True)
class FaultSettings(Settings):
    """Faults of a simulated sensor, by the stamps of its readings; none by default."""

    dead_from: float = setting(0.0, unit='s', at_least=0.0,
                               help='Stamp from which on there are no readings')
    dead_for: float = setting(0.0, unit='s', at_least=0.0, help='For how long; 0 for never')
    stuck_from: float = setting(0.0, unit='s', at_least=0.0,
                                help='Stamp from which on the last reading is repeated')
    stuck_for: float = setting(0.0, unit='s', at_least=0.0, help='For how long; 0 for never')
    offset_from: float = setting(0.0, unit='s', at_least=0.0,
                                 help='Stamp from which on all readings are off alike')
    offset_for: float = setting(0.0, unit='s', at_least=0.0, help='For how long; 0 for never')
    offset_size: float = setting(
        0.0, help="By how much, in the sensor's unit, as of steel near a magnetometer")
    spike_from: float = setting(0.0, unit='s', at_least=0.0,
                                help='Stamp from which on single readings are far off')
    spike_for: float = setting(0.0, unit='s', at_least=0.0, help='For how long; 0 for never')
    spike_size: float = setting(0.0, help="How far, up or down, in the sensor's unit", at_least=0.0)
    spike_share: float = setting(0.1, help='Share of the readings that are off', at_least=0.0,
                                 at_most=1.0)


class SensorFaults:
    """Lets the readings of one sensor fail; spikes are a function of seed, sensor and number."""

    def __init__(self, settings: FaultSettings, seed: int, sensor: str) -> None:
        self._settings = s = settings
        self._spans = [(fault, begin, begin + span) for fault, begin, span in (
            ('dead', s.dead_from, s.dead_for), ('stuck', s.stuck_from, s.stuck_for),
            ('offset', s.offset_from, s.offset_for), ('spikes', s.spike_from, s.spike_for))
            if span > 0.0]
        self._key = stream_key(seed, f'{sensor}/spikes')
        # reading that a stuck sensor repeats
        self.last: Sequence[float] | FloatArray | None = None

    def present(self, stamp: int) -> list[str]:
        """Return the faults that are present at a stamp [ns], in words."""
        if not self._spans:
            return []
        when = stamp / NANOSECONDS
        return [fault for fault, begin, end in self._spans if begin <= when < end]

    def reading(self, present: Sequence[str], number: int,
                values: Sequence[float] | FloatArray) -> Sequence[float] | FloatArray | None:
        """Return what becomes of the values (channels) of a reading while faults are present.

        None if there is no reading.
        """
        if 'dead' in present:
            return None
        if 'stuck' in present and self.last is not None:
            values = self.last
        self.last = values
        if 'offset' in present:
            values = [value + self._settings.offset_size for value in values]
        if 'spikes' in present:
            spike = self.spike(number)
            return [value + spike for value in values]
        return values

    def spike(self, number: int) -> float:
        """Return how far a reading is off while there are spikes."""
        if uniform(self._key, 2 * number) >= self._settings.spike_share:
            return 0.0
        up = uniform(self._key, 2 * number + 1) < 0.5
        return self._settings.spike_size * (1.0 if up else -1.0)


class SensorDelay:
    """Delays the readings of one sensor, each as seed, sensor and number decide.

    None overtakes the one before.
    """

    def __init__(self, settings: NoiseSettings, seed: int, sensor: str) -> None:
        """Set up by the NoiseSettings of a sensor, by name."""
        self._least = round(settings.delay * NANOSECONDS)
        self._spread = settings.delay_spread * NANOSECONDS
        self._key = stream_key(seed, f'{sensor}/delay')
        self.last = 0       # when the last one arrived [ns]

    def arrival(self, stamp: int, number: int) -> int:
        """Return when a reading, taken at a stamp [ns], arrives [ns]; ask in their order."""
        arrival = stamp + self._least
        if self._spread:
            arrival += round(self._spread * uniform(self._key, number))
        if arrival > self.last:
            self.last = arrival
        return self.last
