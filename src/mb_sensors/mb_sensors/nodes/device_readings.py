"""Readings of real devices: from the acquisition thread to the node."""

from collections.abc import Callable, Sequence
import time

from mb_model import Mechanism
from mb_ros.diagnostics import ERROR, OK, WARN, Health, LastLook
from mb_ros.managed_node import ManagedNode
from mb_sensors.sensor import Sensor
from mb_sensors.sources import SourceHealth, check_kinds, make_sources, source_class
from mb_sensors.sources.acquisition import Acquisition, AcquisitionSettings
from mb_sensors.sources.intake import Intake, load_calibration


def make_with_parameters(node: ManagedNode, name: str, made: type, sensors: Sequence[Sensor]):
    """Return (source or emulator of class `made`, its Sensors), as many as it takes, by parameters.

    node: a ManagedNode; name: of the source, with which its parameters begin; a sensor's begin with
    `<sensor>.<name>.`.
    """
    settings = node.settings_of(made.Settings, f'{name}.')
    each = {sensor.name: node.settings_of(made.SensorSettings, f'{sensor.name}.{name}.')
            for sensor in sensors}
    return make_sources(made, sensors, settings, each)


class DeviceReadings:
    """Gives the stamped readings of the devices of a source, and their health.

    Sensors that are reached by different settings are read by a thread each.
    """

    def __init__(self, node: ManagedNode, mechanism: Mechanism, sensors: Sequence[Sensor],
                 source_name: str,
                 give: Callable[[Sequence[tuple[Sensor, int, Sequence[float]]]], None],
                 connected: Callable[[], None]) -> None:
        """Set up for Sensors in a node.

        give([(sensor, stamp [ns], values)]) is called for readings, connected() when the devices
        answer for the first time, both in the executor.
        """
        source_type = source_class(source_name)
        check_kinds(source_name, source_type, sensors)
        settings = node.settings_of(AcquisitionSettings, 'acquisition.')
        calibration = load_calibration(settings.calibration, mechanism)
        self._node, self._give, self._connected = node, give, connected
        self._sensors = {sensor.name: sensor for sensor in sensors}
        self._make_intakes = lambda: {
            sensor.name: Intake(sensor, settings, calibration, source_type.device_clock_period)
            for sensor in sensors}
        self._meters = {sensor.name: node.meter(sensor.name, int) for sensor in sensors}
        self._silence = settings.silence
        self._answered = False
        self._logged = ''
        self.reset()
        guard = node.create_guard_condition(self._on_news)
        self._acquisitions = [
            Acquisition(source, settings, guard.trigger)
            for source, _ in make_with_parameters(node, source_name, source_type, sensors)]
        for acquisition in self._acquisitions:
            acquisition.start()

    def reset(self):
        """Count and stamp readings as after a start."""
        self._intakes = self._make_intakes()
        self._last_reading = dict.fromkeys(self._sensors)       # monotonic time [s]
        self._last_lost = LastLook()
        return 'waiting for readings'

    def begin_again(self, before: int, now: int):
        """Count and stamp readings as after a start; times [ns]."""
        self.reset()

    def _on_news(self):
        """Give the readings of the threads."""
        samples = [sample for one in self._acquisitions for sample in one.take()]
        if not self._answered and (samples or not self._state().faults):
            self._answered = True
            self._connected()
        begin, ahead, readings = time.perf_counter(), self._ahead(), []
        for sample in samples:
            self._last_reading[sample.sensor] = time.monotonic()
            reading = self._intakes[sample.sensor].reading(sample, sample.arrival + ahead)
            if reading is not None:
                readings.append((self._sensors[sample.sensor], *reading))
        if readings:
            self._give(readings)
            self._meter(readings, begin)

    def _meter(self, readings: Sequence[tuple[Sensor, int, Sequence[float]]], begin: float):
        """Count readings; each has taken its share of the time since the beginning [s]."""
        end = time.perf_counter()
        share = (end - begin) / len(readings)
        for sensor, stamp, _ in readings:
            self._meters[sensor.name].take(end - share, end, stamp)

    def _ahead(self):
        """Return how far ROS time is ahead of the clock that stamps arrivals [ns]."""
        # The same clock, unless time is simulated; asking it would add the time in between.
        simulated = self._node.get_clock().ros_time_is_active
        return self._node.believed_time() - time.time_ns() if simulated else 0

    def _state(self):
        """Return the SourceHealth of all; counts of several have their devices in the names."""
        faults, counts = [], {}
        for one in self._acquisitions:
            health = one.health()
            faults += health.faults
            device = f'{one.device} ' if len(self._acquisitions) > 1 else ''
            counts |= {f'{device}{what}': count for what, count in health.counts.items()}
        return SourceHealth(faults, counts)

    def _log_once(self, problem: str):
        """Log a new problem, or its end, once."""
        if problem != self._logged:
            if problem:
                self._node.get_logger().error(problem)
            else:
                self._node.get_logger().info('reading again')
            self._logged = problem

    def health(self):
        """Return the present Health."""
        state = self._state()
        values = dict(state.counts)
        for name, intake in self._intakes.items():
            values |= {f'{name} {what}': count for what, count in vars(intake.counts).items()}
        problem = '; '.join(state.faults)
        self._log_once(problem)
        if problem:
            return Health(ERROR, problem, values)
        silent = [name for name, last in self._last_reading.items()
                  if last is None or time.monotonic() - last > self._silence]
        if silent:
            return Health(ERROR, f'silent: {", ".join(silent)}', values)
        news = self._last_lost.grown_by(sum(one.overflowed for one in self._acquisitions) + sum(
            intake.counts.rejected + intake.counts.missing for intake in self._intakes.values()))
        if news:
            problems = [i.last_problem for i in self._intakes.values() if i.last_problem]
            why = f'; the last one left out: {problems[-1]}' if problems else ''
            return Health(WARN, f'{news} readings were left out or are missing{why}', values)
        return Health(OK, 'reading', values)

    def close(self):
        """End the threads."""
        for acquisition in self._acquisitions:
            acquisition.close()
