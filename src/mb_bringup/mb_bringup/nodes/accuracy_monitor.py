"""The accuracy monitor: hears the three simulations, then judges and reports."""

from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
import sys
import time

from rclpy.clock import Clock, ClockType
from rclpy.node import Node

from mb_bringup.accuracy.progress import progress_line
from mb_bringup.accuracy.run import Counters, ThreeSimulationRun
from mb_bringup.results import new_folder
from mb_interfaces.msg import EstimatorStatus, MechanismState
from mb_model import MechanismError, load_mechanism
from mb_model.model_errors import ModelErrors
from mb_model.settings import Settings, setting
from mb_ros.node_main import run
from mb_ros.parameters import declare_settings
from mb_ros.qos import STREAM_QOS
from mb_ros.stamps import from_seconds, nanoseconds
from mb_ros.states import state_arrays
from mb_sensors import NoiseSettings, sensors_of
from mb_sensors.faults import FaultSettings

TOPICS = {'prototype': 'prototype/state', 'model': 'model_simulation/state',
          'observer': 'estimator/state'}
LOOK_PERIOD = 0.25          # wall time between two looks whether the run is over [s]
PROGRESS_PERIOD = 1.0       # wall time between two progress lines [s]
WIDTH = 110                 # of the table where there is no terminal


@dataclass(frozen=True)
class MonitorSettings(Settings):
    """What is being run, when it is over and where the report goes."""

    mechanism: str = setting('four_bar', help='Name of the mechanism or path of its file')
    estimator: str = setting('error_ekf', help='Filter of the run, for the report')
    sensors: tuple[str, ...] = setting(('crank_encoder',),
                                       help='Sensors or sensor groups of the run')
    engine: str = setting('mujoco', help='Simulator of the prototype, for the report')
    seed: int = setting(0, help='Seed of the sensor noise')
    real_time_factor: float = setting(1.0, above=0.0, help='Speed asked for')
    duration: float = setting(10.0, unit='s', above=0.0, help='Simulated time of the run')
    publish_rate: float = setting(200.0, unit='Hz', above=0.0,
                                  help='States per simulated second of every stream')
    start_time: float = setting(1.0, unit='s', above=0.0, help='Stamp of the first state')
    patience: float = setting(5.0, unit='s', above=0.0,
                              help='Wall time without any message after which the run is over')
    first_patience: float = setting(30.0, unit='s', above=0.0,
                                    help='The same while one of the three was never heard')
    folder: str = setting('', help='Where the report goes; empty: results/<time>')


class AccuracyMonitorNode(Node):
    """Collects the three states and the status of the estimator; ends by itself."""

    def __init__(self):
        super().__init__('accuracy_monitor')
        self._settings = declare_settings(self, MonitorSettings)
        self._folder = Path(self._settings.folder or new_folder('results'))
        self._created = time.strftime('%Y-%m-%dT%H:%M:%S%z')
        self._errors = declare_settings(self, ModelErrors, 'model_errors.')
        self._mechanism = load_mechanism(self._settings.mechanism)
        sensors = [
            sensor.with_settings(declare_settings(
                self, NoiseSettings, f'{sensor.name}.', asdict(sensor.settings)))
            for sensor in sensors_of(self._mechanism, self._settings.sensors)]
        faults = {sensor.name: declare_settings(self, FaultSettings, f'{sensor.name}.fault.')
                  for sensor in sensors}
        self._run = ThreeSimulationRun(
            from_seconds(self._settings.start_time), self._settings.duration,
            self._settings.publish_rate, sensors, self._settings.seed, faults)
        added = self._mechanism.described.coordinates
        self._run.units = {name: 'm' for name in self._mechanism.independent
                           if name not in added or added[name].unit == 'm'}
        self._heard = None              # wall time of the newest message
        self._shown = time.monotonic()
        for stream, topic in TOPICS.items():
            self.create_subscription(MechanismState, topic, partial(self._on_state, stream),
                                     STREAM_QOS)
        self.create_subscription(EstimatorStatus, 'estimator/status', self._on_status, STREAM_QOS)
        self.create_timer(LOOK_PERIOD, self._look, clock=Clock(clock_type=ClockType.STEADY_TIME))

    def _on_state(self, stream, message):
        """Note a state of one of the three simulations."""
        self._heard = time.monotonic()
        state = state_arrays(message)
        try:
            self._run.add_state(
                stream, self._heard, nanoseconds(message.header.stamp), list(message.independent),
                state['z'], state['zd'], state['zdd'], state['covariance'])
        except ValueError as error:
            self.get_logger().error(f'{TOPICS[stream]}: {error}', throttle_duration_sec=5.0)

    def _on_status(self, message):
        """Note what the filter did with the readings of an instant."""
        self._heard = time.monotonic()
        stamp = nanoseconds(message.header.stamp)
        self._run.counters = Counters(stamp, message.readings_used, message.readings_rejected,
                                      message.readings_late, message.readings_missing)
        for found in message.parameters:
            self._run.add_parameter(stamp, found.name, found.value, found.standard_deviation)
        if message.channels:
            try:
                self._run.add_innovation(
                    stamp, list(message.channels), message.innovation,
                    message.innovation_covariance, message.nis, message.step_time)
            except ValueError as error:
                self.get_logger().error(f'estimator/status: {error}', throttle_duration_sec=5.0)

    def _look(self):
        """Show the progress; report and end once nothing more is to come."""
        if self._heard is None:
            return
        now = time.monotonic()
        settings = self._settings
        self._run.mixed |= any(self.count_publishers(topic) > 1 for topic in TOPICS.values())
        state_period = 1.0 / settings.publish_rate / settings.real_time_factor
        patience = settings.first_patience if self._run.unheard else settings.patience
        if self._run.finished:
            patience = LOOK_PERIOD      # the last status may follow the last state
        if now - self._heard > max(patience, 10.0 * state_period):
            self._finish()
        if now - self._shown > PROGRESS_PERIOD:
            self._shown = now
            self._show_progress()

    def _show_progress(self):
        """Print one line on the running simulation."""
        run = self._run
        errors = {stream: run.latest_error(stream) for stream in ('model', 'observer')}
        print(progress_line(run.progress, run.duration, run.real_time_factor(), errors,
                            sum(run.lost(so_far=True).values())), flush=True)

    def _finish(self):
        """Write the report and its picture, show the table, end the process."""
        # Imported now: their libraries take long to load, and the run must not wait for them.
        from rich.console import Console

        from mb_bringup.accuracy.figure import draw_report
        from mb_bringup.accuracy.report import make_report
        from mb_bringup.accuracy.report_file import write_report
        from mb_bringup.accuracy.table import accuracy_table, verdict_text

        for name, track in self._run.parameters.items():
            with suppress(MechanismError):      # the prototype may be another kind of mechanism
                track.truth = float(self._mechanism.parameter_records([name])['value'][0])
        console = Console(width=None if sys.stdout.isatty() else WIDTH)
        report = make_report(self._run, self._asked(), self._created)
        self._folder.mkdir(parents=True, exist_ok=True)
        write_report(report, self._folder / 'report.json')
        if report['model'] or report['observer']:
            draw_report(self._run, report, self._folder / 'report.png')
            console.print(accuracy_table(report))
        console.print(verdict_text(report))
        print(f'results in {self._folder}', flush=True)
        sys.exit(0)

    def _asked(self):
        """Return what was asked for, as the report tells it."""
        settings = self._settings
        return {'mechanism': self._mechanism.name, 'estimator': settings.estimator,
                'sensors': list(settings.sensors), 'seed': settings.seed,
                'prototype': settings.engine, 'start_time': settings.start_time,
                'publish_rate': settings.publish_rate,
                'real_time_factor_asked': settings.real_time_factor,
                'model_errors': {'gravity': self._errors.gravity, 'z0': self._errors.z0}}


def main():
    """Run the node."""
    run(AccuracyMonitorNode)
