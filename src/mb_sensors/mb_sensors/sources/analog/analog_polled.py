"""Readings of a converter, each asked for when it is due."""

import time

from mb_sensors.sampling import NANOSECONDS


class PolledChannel:
    """Reads one Transmitter at the rate of its sensor.

    name: of the sensor; late: readings that were not taken because the machine was
    busy.
    """

    def __init__(self, transmitter):
        self.name = transmitter.sensor.name
        self.late = 0
        self.due = 0                # when the next reading is to be taken [ns], monotonic
        self._transmitter = transmitter
        self._period = round(NANOSECONDS / transmitter.sensor.rate)

    def open(self, device):
        """Find the channel and begin.  Raises OSError, ValueError."""
        self._file = device / f'in_{self._transmitter.channel}_raw'
        self._raw()
        self.due = time.monotonic_ns()

    def sample(self):
        """Take the reading that is due; return a Sample or None."""
        behind = (time.monotonic_ns() - self.due) // self._period
        self.late += behind
        self.due += (behind + 1) * self._period
        before = time.time_ns()
        raw = self._raw()
        # The conversion is within the read.
        return self._transmitter.sample(raw, (before + time.time_ns()) // 2)

    def _raw(self):
        return float(self._file.read_text())


class PolledChannels:
    """All Transmitters at one converter, each at its own rate."""

    def __init__(self, transmitters, settings):
        self._channels = [PolledChannel(one) for one in transmitters]

    def open(self, device):
        """Find all channels in the folder of the device.  Raises OSError, ValueError."""
        for channel in self._channels:
            channel.open(device)

    def read(self, timeout):
        """Wait for the next reading that is due, and take it.  Raises OSError, ValueError."""
        wait = min(channel.due for channel in self._channels) - time.monotonic_ns()
        if wait > 0:
            time.sleep(min(timeout, wait / NANOSECONDS))
        now = time.monotonic_ns()
        samples = [channel.sample() for channel in self._channels if channel.due <= now]
        return [sample for sample in samples if sample is not None]

    def close(self):
        """Nothing is held."""

    def counts(self):
        """Return what was missed, by name."""
        return {f'{channel.name} not taken in time': channel.late
                for channel in self._channels}
