"""The common part of monitors: what runs, when it is over, and the report at its end."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
import time
from typing import Any

from diagnostic_msgs.msg import DiagnosticArray
from rclpy.clock import Clock, ClockType
from rclpy.qos import QoSProfile, ReliabilityPolicy
from rosgraph_msgs.msg import Clock as ClockMessage

from mb_evaluation.results import end_with_results, new_folder
from mb_evaluation.run_log.diagnostics import BadLine
from mb_evaluation.run_log.run_log import Counters
from mb_interfaces.msg import EstimatorStatus
from mb_model import INT64_MAX, LATEST, SettingError, Settings, load_mechanism, setting
from mb_ros.confirmed_clock import publishers_of_time
from mb_ros.diagnostics import LEVELS
from mb_ros.guards import GuardedNode
from mb_ros.parameters import declare_settings
from mb_ros.qos import DEEPEST
from mb_ros.running_time import RunningTime
from mb_ros.stamps import nanoseconds
from mb_ros.startup_barrier import WaitingLog
from mb_sensors import FaultSettings, NoiseSettings, by_topic, sensors_of

LOOK_PERIOD = 0.25          # wall time between two looks whether the run is over [s]
PROGRESS_PERIOD = 1.0       # wall time between two progress lines [s]
_MOST = 1e7                  # states or readings of a sensor that are remembered
WIDTH = 110                 # of the table where there is no terminal
BAR_WIDTH = 30              # of the bar of a line of progress
CLOCK_QOS = QoSProfile(depth=DEEPEST, reliability=ReliabilityPolicy.BEST_EFFORT)


@dataclass(frozen=True)
class MonitorSettings(Settings):
    """What is being run, when it is over and where the report goes."""

    mechanism: str = setting('four_bar', help='Name of the mechanism or path of its file')
    estimator: str = setting('error_ekf', help='Filter of the run, for the report')
    sensors: tuple[str, ...] = setting(('crank_encoder',),
                                       help='Sensors or sensor groups of the run')
    engine: str = setting('mujoco', help='Simulator of the prototype, for the report')
    seed: int = setting(0, at_least=0, at_most=INT64_MAX,
                        help='Seed of the sensor noise')
    real_time_factor: float = setting(1.0, at_least=1e-3, at_most=1e6, help='Speed asked for')
    duration: float = setting(10.0, unit='s', above=0.0, help='Simulated time of the run')
    publish_rate: float = setting(200.0, unit='Hz', at_least=0.1, at_most=1e4,
                                  help='States per simulated second of every stream')
    start_time: float = setting(1.0, unit='s', above=0.0, at_most=LATEST,
                                help='Stamp of the first state')
    patience: float = setting(5.0, unit='s', above=0.0,
                              help='Wall time without any message after which the run is over; '
                                   'a standstill of the monitor does not count')
    first_patience: float = setting(30.0, unit='s', above=0.0,
                                    help='The same while a stream has had no message')
    disturbed: bool = setting(
        False, help='Whether a node `disturber` makes readings suffer on purpose: readings that it '
                    'drops are no losses')
    longest_overlap: float = setting(
        0.0, unit='s', at_least=0.0,
        help='Wall time after which the publishers that share a topic are two runs; one that was '
             'killed is seen for some ten seconds beside its successor')
    folder: str = setting('', help='Where the report goes; empty: results/<time>')

    def __post_init__(self):
        super().__post_init__()
        check_states(self.duration, self.publish_rate)


def check_states(duration: float, rate: float, what: str = 'states') -> None:
    """Raise SettingError if so much time [s] has more of something than a monitor remembers."""
    if duration * rate > _MOST:
        raise SettingError(f'duration: {duration:g} s at {rate:g} Hz are {duration * rate:.3g} '
                           f'{what}, at most {_MOST:g} are possible')


def progress_line(reached: float, duration: float, factor: float | None,
                  errors: dict[str, Sequence[float] | None] | None = None,
                  lost: int | None = None, detail: str = '') -> str:
    """Return one line on a running simulation.

    reached, duration: simulated [s]; factor: real-time factor or None; errors: label -> newest
    errors (g) or None; lost: messages, None if unknown so far; detail: further text.
    """
    share = min(1.0, reached / duration)
    bar = ('━' * round(share * BAR_WIDTH)).ljust(BAR_WIDTH, '·')
    parts = [f'{bar} {reached:6.2f} / {duration:g} s']
    if factor is not None:
        parts.append(f'{factor:.2f} x real time')
    parts += [f'{label} off by ' + ' '.join(f'{error:+.4f}' for error in values)
              for label, values in (errors or {}).items() if values is not None]
    if lost is not None:
        parts.append(f'lost {lost}')
    if detail:
        parts.append(detail)
    return '  '.join(parts)


class Monitor(GuardedNode):
    """Listens until nothing more is to come, reports and ends.

    A monitor sets `run`, a RunLog, names the topics that a run has to itself, calls note_message()
    at each message, and defines what of its progress is shown.

    kind: of its report; bounds: of the verdict, by the settings that they are; stated: settings
    that the report has beside the settings of every run.
    """

    topics: tuple[str, ...] = ()
    kind = ''
    bounds: Mapping[str, str] = {}
    stated: tuple[str, ...] = ()
    run: Any = None

    def __init__(self, name: str, settings_class: type[MonitorSettings] = MonitorSettings,
                 **options):
        super().__init__(name, **options)
        self.settings = declare_settings(self, settings_class)
        self.folder = Path(self.settings.folder or new_folder('results'))
        self.created = time.strftime('%Y-%m-%dT%H:%M:%S%z')
        self.mechanism = load_mechanism(self.settings.mechanism)
        self.sensors = [
            sensor.with_settings(declare_settings(
                self, NoiseSettings, f'{sensor.name}.', asdict(sensor.settings)))
            for sensor in sensors_of(self.mechanism, self.settings.sensors)]
        for sensor in self.sensors:
            check_states(self.settings.duration, sensor.rate, f'readings of {sensor.name}')
        self.faults = {sensor.name: declare_settings(self, FaultSettings, f'{sensor.name}.fault.')
                       for sensor in self.sensors}
        self._time = RunningTime()
        self._news = False              # whether a message has come since the last look
        self._last_news = None          # time of the last look after which one had come [s]
        self._waiting = WaitingLog(self)
        self._shown = self._time.now()
        self._sharing, self._since = set(), self._shown     # publishers of one topic; since when
        self.bad_line = BadLine({
            topic: len(one.sensors) for topic, one in by_topic(self.sensors).items()
        }) if self.settings.disturbed else None
        self.create_subscription(DiagnosticArray, '/diagnostics', self.on_diagnostics,
                                 QoSProfile(depth=1000))
        self.create_subscription(ClockMessage, '/clock', self._on_clock, CLOCK_QOS)
        self.create_timer(LOOK_PERIOD, self._look, clock=Clock(clock_type=ClockType.STEADY_TIME))

    @property
    def units(self) -> dict[str, str]:
        """Units of the degrees of freedom: angles, or else lengths."""
        added = self.mechanism.described.coordinates
        return {name: 'm' if name not in added else added[name].unit
                for name in self.mechanism.independent}

    def report(self) -> Any:
        """Return the Report of the run; only then are libraries imported that it needs."""
        from mb_evaluation.report_kinds import kind_named
        from mb_evaluation.reports.report import Report

        kind = kind_named(self.kind)
        figures = kind.figures(self.run, self.asked(), {
            bound: getattr(self.settings, name) for name, bound in self.bounds.items()},
            self.created)
        return Report(kind, figures, self.run if kind.is_drawn(figures) else None)

    def shown_progress(self) -> dict[str, Any]:
        """Return what a line of progress shows besides, as keyword arguments of progress_line."""
        raise NotImplementedError

    def asked(self) -> dict[str, Any]:
        """Return the settings of the run, as the report has them."""
        settings = self.settings
        return {'mechanism': self.mechanism.name, 'estimator': settings.estimator,
                'sensors': list(settings.sensors), 'seed': settings.seed,
                'prototype': settings.engine,
                'real_time_factor_asked': settings.real_time_factor,
                **{name: getattr(settings, name) for name in self.stated}}

    def note_message(self) -> None:
        """Note that a message has come."""
        self._news = True

    def note_status(self, message: EstimatorStatus, stamp: int) -> None:
        """Note how the estimator counts its readings; message: EstimatorStatus of a stamp [ns]."""
        self.run.statuses.add(stamp)
        if stamp >= self.run.counters.stamp:
            self.run.counters = Counters(
                stamp, message.readings_used, message.readings_rejected, message.readings_late,
                message.readings_missing)

    def on_diagnostics(self, message: DiagnosticArray) -> None:
        """Note the diagnostics of nodes, by the newest stamp of the truth."""
        stamp = max(self.run.newest_truth, self.run.start)
        for status in message.status:
            self.run.complaints.add(stamp, status.name, LEVELS[status.level], status.message)
            if self.bad_line:
                self.bad_line.note(status)

    def _on_clock(self, message: ClockMessage):
        self.run.time.tick(nanoseconds(message.clock))

    def _look(self):
        """Show the progress; report and end once nothing more is to come."""
        now = self._time.now()
        self.run.bad_line = self.bad_line
        if self._news or (self._last_news is not None and self._time.stood_still):
            self._news, self._last_news = False, now    # after a standstill queues are full
        if self._last_news is None:
            self._waiting.update([f'a publisher of {topic}' for topic in self.topics
                                  if not self.count_publishers(topic)] or ['the first message'])
            return
        settings = self.settings
        sharing = self._publishers_that_share()
        if sharing != self._sharing:
            self._sharing, self._since = sharing, now
        self.run.time.publishers = self.run.time.publishers or publishers_of_time(self)
        self.run.mixed |= bool(sharing) and now - self._since >= settings.longest_overlap
        state_period = 1.0 / settings.publish_rate / settings.real_time_factor
        patience = settings.first_patience if self.run.silent else settings.patience
        if self.run.finished and not self.bad_line:     # whose last counts are still to come
            patience = LOOK_PERIOD      # the last status may follow the last state
        if now - self._last_news > max(patience, 10.0 * state_period):
            end_with_results(self, self.conclude, self.folder)
        if now - self._shown > PROGRESS_PERIOD:
            self._shown = now
            print(progress_line(self.run.progress, settings.duration, self.run.real_time_factor(),
                                **self.shown_progress()), flush=True)

    def _publishers_that_share(self):
        """Return the identifiers of the publishers of topics that have more than one."""
        return {tuple(publisher.endpoint_gid) for topic in self.topics
                if self.count_publishers(topic) > 1
                for publisher in self.get_publishers_info_by_topic(topic)}

    def conclude(self) -> None:
        """Report on all messages that have come.  Raises OSError."""
        # Imported now: its libraries take long to load, and the run must not wait for them.
        from mb_evaluation.reports.presentation import present, terminal

        self.run.bad_line = self.bad_line
        present(self.report(), terminal(WIDTH), self.folder)
