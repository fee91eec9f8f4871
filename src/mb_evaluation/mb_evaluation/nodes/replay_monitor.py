"""The replay monitor: lets a paused player play a bag to an estimator, then reports."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
import sys
from typing import Any

import numpy as np
from rclpy.clock import Clock, ClockType
from rosbag2_interfaces.srv import Resume

from mb_estimators import Counts
from mb_evaluation.accuracy.estimated import Estimated
from mb_evaluation.accuracy.innovations import Innovations, note
from mb_evaluation.accuracy.track import Track
from mb_evaluation.recordings.contents import origin_in
from mb_evaluation.results import end_with_results
from mb_interfaces.msg import EstimatorStatus, MechanismState
from mb_model import FreeOrientations, Settings, load_mechanism, setting
from mb_ros.delivered_once import DeliveredOnce
from mb_ros.guards import GuardedNode
from mb_ros.node_main import REST, NodeMain
from mb_ros.parameters import declare_settings
from mb_ros.qos import STREAM_QOS, deep
from mb_ros.running_time import RunningTime
from mb_ros.stamp_jump_guard import FAR, StampJumpGuard
from mb_ros.stamps import nanoseconds
from mb_ros.startup_barrier import StartupBarrier, WaitingLog
from mb_ros.states import state_arrays
from mb_sensors import sensors_of

LOOK_PERIOD = 0.2           # wall time between two looks at which nodes are there [s]
SILENCE = 2.0               # wall time without estimates, once the player has gone [s]
_PERIOD = 10_000_000        # a tenth of the gap between two stamps that needs no other [ns]
WIDTH = 142                 # of the table where there is no terminal


@dataclass(frozen=True)
class ReplaySettings(Settings):
    """What is replayed, what the estimates are compared with, and where the report goes."""

    mechanism: str = setting('four_bar', help='Name of the mechanism or path of its file')
    estimator: str = setting('error_ekf', help='Filter of the replay, for the report')
    sensors: tuple[str, ...] = setting((), help='Sensors or sensor groups of the replay')
    bag: str = setting('', help='The bag that is played, for the report')
    reference: str = setting('/prototype/state',
                             help='Topic of the states that the estimates are compared with')
    has_truth: bool = setting(True, help='Whether these are the truth, or an estimate')
    player: str = setting('/rosbag2_player', help='Full name of the node that plays')
    wait_for_nodes: tuple[str, ...] = setting(
        (), help='Full names of the nodes that must be set up before the bag is played')
    folder: str = setting('results', help='Where the report goes')


class ReplayMonitorNode(GuardedNode):
    """Collects the estimates, what they are compared with, and the status; ends by itself."""

    name, Settings = 'replay_monitor', ReplaySettings
    stem = 'comparison'         # of the files of the report

    def __init__(self, **options):
        super().__init__(self.name, **options)
        self._settings = declare_settings(self, self.Settings)
        self._mechanism = load_mechanism(self._settings.mechanism)
        self._orientations = FreeOrientations(self._mechanism)
        self._sensors = sensors_of(self._mechanism, self._settings.sensors)
        self._replayed = Estimated(self._settings.estimator, innovations=[
            Innovations(sensor.name, sensor.channels) for sensor in self._sensors])
        self._samples, self._references = [], []
        self._barrier = StartupBarrier(self, self._settings.wait_for_nodes)
        self._waiting = WaitingLog(self)
        self._time = RunningTime()
        self._begin = self._last_news = None        # times of looks [s], and whether
        self._news = False                      # something has come since the last one
        self._resume = self.create_client(Resume, f'{self._settings.player}/resume')
        for message_type, topic, take in (
                (MechanismState, 'estimator/state', self._on_state),
                (EstimatorStatus, 'estimator/status', self._on_status),
                (MechanismState, self._settings.reference, self._on_reference)):
            guard = StampJumpGuard(_PERIOD, FAR)
            self.create_subscription(message_type, topic, partial(
                self._on_message, DeliveredOnce(), guard, take), deep(STREAM_QOS))
        self.create_timer(LOOK_PERIOD, self._look, clock=Clock(clock_type=ClockType.STEADY_TIME))

    def _on_message(self, once: DeliveredOnce, guard: StampJumpGuard, take: Callable[[Any], None],
                    message: Any, info: dict[str, Any]):
        """Note a message that is new, when its stamp can be believed."""
        stamp = nanoseconds(message.header.stamp)
        if once.is_new(info, stamp):
            for _, believed in guard.take(stamp, message).believed:
                take(believed)

    def _sample(self, message: MechanismState) -> tuple:
        """Return a MechanismState as a sample of a Track."""
        state = state_arrays(message)
        return (nanoseconds(message.header.stamp), state['z'], state['zd'], state['zdd'],
                state['covariance'],
                self._orientations.frames(state['q'], state['qd'], state['qdd']))

    def _on_state(self, message: MechanismState):
        """Note an estimate."""
        self._news = True
        self._samples.append(self._sample(message))

    def _on_reference(self, message: MechanismState):
        """Note a state to compare with."""
        if tuple(message.independent) == self._mechanism.independent:
            self._references.append(self._sample(message))

    def _on_status(self, message: EstimatorStatus):
        """Note the innovations of an instant."""
        self._news = True
        replayed = self._replayed
        replayed.counts = Counts(message.readings_used, message.readings_rejected,
                              message.readings_late)
        replayed.missing = message.readings_missing
        if message.channels:
            size = len(message.channels)
            note(replayed.innovations, nanoseconds(message.header.stamp), message.channels,
                 np.array(message.innovation),
                 np.reshape(message.innovation_covariance, (size, size)))
            replayed.nis.append(message.nis)
            replayed.nis_sizes.append(size)
            replayed.step_times.append(message.step_time)

    def _look(self):
        """Begin when all nodes are there, end when nothing more is to come."""
        now = self._time.now()
        if self._news or self._time.stood_still:
            self._news, self._last_news = False, now    # after a standstill queues are full
        if self._begin is None:
            absent = self._barrier.absent()
            if not self._resume.service_is_ready():
                absent.append(self._settings.player)
            if not absent:
                self._begin = now
                print(f'playing {self._settings.bag}', flush=True)
                self._resume.call_async(Resume.Request())
            else:
                self._waiting.update(absent)
        elif (not self._resume.service_is_ready()
              and now - (self._last_news or self._begin) > SILENCE):
            self._finish()

    def _finish(self):
        """Report and end the process."""
        if not self._samples:
            self.get_logger().fatal('no estimate came')
            sys.exit(1)
        end_with_results(self, self._conclude, self._settings.folder)

    def _conclude(self):
        """Print the table of the report, then write it.  Raises OSError."""
        # Imported now: its libraries take long to load, and the replay must not wait for them.
        from mb_evaluation.reports.presentation import present, terminal

        present(self._report(), terminal(WIDTH), Path(self._settings.folder), self.stem)

    def _report(self) -> Any:
        """Return the Report of the comparison."""
        from mb_evaluation.report_kinds.comparison_report import REPORT, comparison_figures
        from mb_evaluation.reports.report import Report

        settings, replayed = self._settings, self._replayed
        replayed.track = Track(self._samples, self._orientations)
        replayed.wall_time = self._last_news - self._begin
        reference = (settings.reference, Track(
            self._references, self._orientations)) if self._references else None
        figures = comparison_figures({
            'bag': settings.bag, 'mechanism': self._mechanism.name,
            'has_truth': settings.has_truth and bool(self._references),
            'origin': origin_in(settings.bag, self._mechanism) if settings.bag else None,
            'sensors': [sensor.name for sensor in self._sensors]},
            self._mechanism, reference, [replayed])
        return Report(REPORT, figures, (reference, [replayed]))


main = NodeMain(ReplayMonitorNode, rest=REST)
