"""Readings of real devices: from the acquisition thread to the node."""

import time

from mb_ros.diagnostics import ERROR, OK, WARN, Health
from mb_ros.parameters import declare_settings
from mb_sensors.acquisition.acquisition import Acquisition
from mb_sensors.acquisition.calibration import load_calibration
from mb_sensors.acquisition.intake import Intake
from mb_sensors.acquisition.settings import AcquisitionSettings
from mb_sensors.sources import check_kinds, source_class


def make_with_parameters(node, name, made, sensors):
    """Return made(sensors, settings, sensor settings), settings from `<name>.` parameters.

    made: has the settings classes of the source of that name, a Source or an emulator.
    Those of a sensor are `<sensor>.<name>.`.
    """
    settings = declare_settings(node, made.Settings, f'{name}.')
    each = {sensor.name: declare_settings(node, made.SensorSettings, f'{sensor.name}.{name}.')
            for sensor in sensors}
    return made(sensors, settings, each)


class DeviceReadings:
    """Gives what the devices of a source measured, stamped, and tells how they are."""

    def __init__(self, node, mechanism, sensors, source_name, give, connected):
        """Set up for Sensors in a node.

        give(sensor, stamp [ns], values) is called for a reading, connected() when the devices
        answer for the first time, both in the executor.
        """
        source_type = source_class(source_name)
        check_kinds(source_name, source_type, sensors)
        settings = declare_settings(node, AcquisitionSettings, 'acquisition.')
        calibration = load_calibration(settings.calibration, mechanism)
        self._node, self._give, self._connected = node, give, connected
        self._sensors = {sensor.name: sensor for sensor in sensors}
        self._intakes = {
            sensor.name: Intake(sensor, settings, calibration, source_type.device_clock_period)
            for sensor in sensors}
        self._silence = settings.silence
        self._heard = dict.fromkeys(self._sensors)      # monotonic time of the last reading [s]
        self._answered = False
        self._told = ''
        self._lost_before = 0
        self._source = make_with_parameters(node, source_name, source_type, sensors)
        guard = node.create_guard_condition(self._on_news)
        self._acquisition = Acquisition(self._source, settings, guard.trigger)
        self._acquisition.start()

    def _on_news(self):
        """Give what the thread has brought."""
        acquisition = self._acquisition
        samples = acquisition.take()
        if not self._answered and (samples or self._is_well()):
            self._answered = True
            self._connected()
        ahead = self._ahead()
        for sample in samples:
            self._heard[sample.sensor] = time.monotonic()
            reading = self._intakes[sample.sensor].reading(sample, sample.arrival + ahead)
            if reading is not None:
                self._give(self._sensors[sample.sensor], *reading)

    def _ahead(self):
        """Return how far ROS time is ahead of the clock that stamps arrivals [ns]."""
        clock = self._node.get_clock()
        # The same clock, unless time is simulated; asking it would add what passes meanwhile.
        return clock.now().nanoseconds - time.time_ns() if clock.ros_time_is_active else 0

    def _is_well(self):
        return not self._acquisition.problem and not self._source.health().faults

    def _tell_log(self, problem):
        """Tell a new problem, or its end, on the log once."""
        if problem != self._told:
            if problem:
                self._node.get_logger().error(problem)
            else:
                self._node.get_logger().info('reading again')
            self._told = problem

    def health(self):
        """Return the present Health."""
        acquisition, source = self._acquisition, self._source.health()
        values = {'connected': acquisition.opened, 'overflowed': acquisition.overflowed}
        values |= source.counts
        for name, intake in self._intakes.items():
            values |= {f'{name} {what}': count for what, count in vars(intake.counts).items()}
        faults = [acquisition.problem] if acquisition.problem else list(source.faults)
        self._tell_log('; '.join(faults))
        if faults:
            return Health(ERROR, '; '.join(faults), values)
        silent = [name for name, heard in self._heard.items()
                  if heard is None or time.monotonic() - heard > self._silence]
        if silent:
            return Health(ERROR, f'silent: {", ".join(silent)}', values)
        lost = acquisition.overflowed + sum(
            intake.counts.rejected + intake.counts.missing for intake in self._intakes.values())
        news, self._lost_before = lost - self._lost_before, lost
        if news:
            problems = [i.last_problem for i in self._intakes.values() if i.last_problem]
            why = f'; the last one left out: {problems[-1]}' if problems else ''
            return Health(WARN, f'{news} readings were left out or are missing{why}', values)
        return Health(OK, 'reading', values)

    def close(self):
        """End the thread."""
        self._acquisition.close()
