"""A thread that reads a source and opens it again whenever it fails; its settings."""

from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
import threading
import time

from mb_model import Settings, setting
from mb_sensors.sources import Sample, Source, SourceError, SourceHealth

CLOCKS = ('arrival', 'device', 'synchronised')


@dataclass(frozen=True)
class AcquisitionSettings(Settings):
    """Stamps, calibration, and reconnection of devices that do not answer."""

    clock: str = setting(
        'arrival', choices=CLOCKS,
        help='Stamp of a reading; arrival: when it came, less the delay of the sensor; device: '
             "its device's own clock, related to ours by the fastest readings, less the delay; "
             'synchronised: that clock, which shows ROS time')
    calibration: str = setting('', help='File of scale and bias of each channel; empty: none')
    first_retry: float = setting(
        0.1, unit='s', above=0.0, help='Pause before a lost connection is opened again')
    longest_retry: float = setting(
        5.0, unit='s', above=0.0, help='Longest pause, to which it grows while nothing comes')
    hand_over: float = setting(
        0.002, unit='s', at_least=0.0, at_most=0.1,
        help='Least time between two wakes of the node; readings between come together')
    silence: float = setting(
        0.5, unit='s', above=0.0, help='Time without readings until a sensor counts as silent')
    largest_offset: float = setting(
        10.0, unit='s', above=0.0, help='Difference from our time from which on a synchronised '
                                        'clock is not believed')
    queue: int = setting(
        10000, at_least=1, at_most=1_000_000,
        help='Readings that wait for the node at most; the oldest are lost')


_TIMEOUT = 0.1      # of one wait for samples: how long close() may take [s]


class Acquisition:
    """Reads a Source in a thread of its own; the node takes its samples and never waits.

    wake: called by the thread when there may be news.
    problem: why the source is not open, empty if it is; opened: how often it was;
    overflowed: samples lost because they were not taken.
    """

    def __init__(self, source: Source, settings: AcquisitionSettings,
                 wake: Callable[[], None]) -> None:
        """Set up for a Source and AcquisitionSettings."""
        self.problem = 'not connected yet'
        self.opened = 0
        self.overflowed = 0
        self._source = source
        self._settings = settings
        self._wake = wake
        self._samples = deque(maxlen=settings.queue)
        self._received = 0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name='acquisition', daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def close(self) -> None:
        """End the thread and close the source."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()

    def health(self) -> SourceHealth:
        """Return the SourceHealth, of the connection and of the devices behind it."""
        behind = self._source.health()
        faults = [self.problem] if self.problem else list(behind.faults)
        return SourceHealth(
            faults, {'connected': self.opened, 'overflowed': self.overflowed, **behind.counts})

    @property
    def device(self) -> str:
        """The source, as the user names it."""
        return self._source.device

    def take(self) -> list[Sample]:
        """Return the Samples that came since the last call, oldest first."""
        taken = []
        with suppress(IndexError):      # deque.popleft is safe beside the thread's append
            while True:
                taken.append(self._samples.popleft())
        return taken

    def _run(self) -> None:
        pause = self._settings.first_retry
        while not self._stop.is_set():
            before = self._received
            try:
                self._source.open()
                self._set_problem('')
                self._read_until_stopped()
            except (SourceError, OSError) as error:
                self._set_problem(str(error))
            except Exception as error:      # a thread must not end in silence
                self._set_problem(f'unexpected {type(error).__name__}: {error}')
            finally:
                self._source.close()
            if self._received > before:
                pause = self._settings.first_retry
            self._stop.wait(pause)
            pause = min(2.0 * pause, self._settings.longest_retry)

    def _read_until_stopped(self) -> None:
        waiting = False             # whether the node is not yet woken for new samples
        woken = time.monotonic()
        while not self._stop.is_set():
            due = woken + (self._settings.hand_over if waiting else _TIMEOUT)
            samples = self._source.read(max(0.0, due - time.monotonic()))
            if samples:
                self._received += len(samples)
                excess = len(self._samples) + len(samples) - self._settings.queue
                self.overflowed += max(0, excess)
                self._samples.extend(samples)
                waiting = True
            now = time.monotonic()
            if now - woken >= (self._settings.hand_over if waiting else _TIMEOUT):
                self._wake()
                waiting, woken = False, now

    def _set_problem(self, problem: str) -> None:
        """Note why the source is closed, or that it is open."""
        self.problem = problem
        self.opened += not problem
        self._wake()
