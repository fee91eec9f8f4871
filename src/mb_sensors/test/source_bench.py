"""An emulated device and the source that reads it, in one process."""

import time

from mb_sensors.sources.acquisition import Acquisition, AcquisitionSettings

WAIT = 10.0


class SourceBench:
    """An opened emulator and the acquisition of a source, which begins with `start`."""

    def __init__(self, emulator, source, longest_retry=0.05):
        self.emulator, self.source = emulator, source
        self.emulator.open()
        self.acquisition = Acquisition(
            source, AcquisitionSettings(first_retry=0.01, longest_retry=longest_retry),
            lambda: None)

    def start(self):
        self.acquisition.start()

    def until(self, condition):
        """Wait for a condition; fail after WAIT."""
        end = time.monotonic() + WAIT
        while not condition():
            assert time.monotonic() < end, (self.acquisition.problem, self.source.health())
            time.sleep(0.002)

    def until_open(self):
        self.until(lambda: self.acquisition.opened and not self.acquisition.problem)

    def samples(self, number):
        """Return what came, at least so many samples."""
        taken = []
        self.until(lambda: taken.extend(self.acquisition.take()) or len(taken) >= number)
        return taken

    def close(self):
        self.acquisition.close()
        self.emulator.close()
