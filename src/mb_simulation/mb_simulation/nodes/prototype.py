"""The prototype: the simulated machine that publishes the truth and the time."""

from collections.abc import Callable
import time
from typing import Any

from rclpy.clock import Clock, ClockType
from rclpy.qos import QoSProfile, ReliabilityPolicy
from rclpy.timer import Timer
from rosgraph_msgs.msg import Clock as ClockMessage

from mb_interfaces.msg import MechanismState
from mb_model import MechanismError, StepError, load_mechanism
from mb_ros.confirmed_clock import publishers_of_time
from mb_ros.diagnostics import ERROR, OK, WARN, Diagnostics, Health, LastLook
from mb_ros.guards import GuardedNode
from mb_ros.node_main import USER_ERROR, NodeMain
from mb_ros.parameters import declare_settings
from mb_ros.qos import STREAM_QOS, stream_qos
from mb_ros.running_time import RunningTime
from mb_ros.stamps import MalformedStampError, from_seconds, serialised_stamp, stamp
from mb_ros.startup_barrier import StartupBarrier, WaitingLog
from mb_ros.states import mechanism_state, refilled
from mb_sensors import Sampler
from mb_simulation.control import ControlSettings, Trajectory, TrajectorySettings, plan
from mb_simulation.control.control_loop import require_common_steps
from mb_simulation.nodes.command_topics import CommandTopics
from mb_simulation.nodes.contact_topics import ContactTopics
from mb_simulation.nodes.control_topics import AHEAD, ControlTopics
from mb_simulation.nodes.followers import Followers, PlayedTime
from mb_simulation.nodes.prototype_settings import PrototypeSettings
from mb_simulation.nodes.truth_topics import OilTopics, TrueReadings
from mb_simulation.nodes.waiting import OtherRun, PartnersBack
from mb_simulation.prototypes import make_prototype
from mb_simulation.prototypes.unmodelled import UnmodelledSettings

LOOK_PERIOD = 0.05          # wall time between two looks at which nodes are there [s]
DISCOVERY_PERIOD = 2.0      # wall time until another run is seen, where no node is waited for [s]
AFTERGLOW_PERIOD = 0.1      # wall time between two repetitions of the last time [s]
SHORTEST_PERIOD = 1e-3      # of a timer [s]
LONGEST_MOVE = 5e-3         # wall time between two looks for commands while behind [s]
SHORTEST_GAP = 0.8          # between two states while behind, as a share of their time
CLOCK_QOS = QoSProfile(depth=10, reliability=ReliabilityPolicy.RELIABLE)


class PrototypeNode(GuardedNode):
    """Publishes ~/state, of oil ~/hydraulics, and /clock while simulated time passes.

    With a trajectory, a controller moves it, and it publishes ~/drive_torques before the state
    from which on they act; with collisions, it publishes its ~/contacts.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__('prototype', **options)
        self._settings = declare_settings(self, PrototypeSettings)
        self._start = from_seconds(self._settings.start_time)      # stamp of the first state [ns]
        self._mechanism = load_mechanism(self._settings.mechanism)
        trajectory, rate = self._trajectory(), self._settings.publish_rate
        self._contacts = ContactTopics(self, self._mechanism, trajectory, self._settings.collisions,
                                       rate) if self._settings.collisions else None
        self._prototype = make_prototype(
            self._settings.engine, self._mechanism, 1.0 / self._settings.publish_rate,
            self._settings.step, self._contacts.obstacles if self._contacts else (),
            declare_settings(self, UnmodelledSettings, 'unmodelled.'))
        self._commands = CommandTopics(self, self._mechanism, self._settings.command_delay)
        self._oil = OilTopics(self, self._mechanism, rate) if self._mechanism.circuit else None
        self._true_readings = TrueReadings(self, self._mechanism, self._prototype, rate)
        self._followers, self._estimates_ahead = None, 0    # ahead: of the newest state
        self._player = (PlayedTime(self, self._start, self._commands.newest)
                        if self._settings.wait_for_player else None)
        self._control = self._controller(trajectory)
        if self._settings.most_ahead and self._followers is None:
            self._follow('most_ahead', self._settings.most_ahead, 'estimates')
            self.create_subscription(
                MechanismState, 'estimator/state', self._on_estimate, STREAM_QOS, raw=True)
        self._last = round(self._settings.duration * self._settings.publish_rate)
        self._published = -1            # number of the last published state
        self._time = RunningTime()
        self._begin = None              # when state 0 was published [s]
        self._lost_time = None          # when the run was held up, to be let go on [s]
        # Wall time before which the next one is not published.
        self._earliest = time.monotonic() + DISCOVERY_PERIOD * (not self._settings.wait_for_nodes)
        # From state to state; no longer than that: commands are taken only between moves.
        self._gap = min(SHORTEST_PERIOD, SHORTEST_GAP / self._settings.publish_rate
                        / self._settings.real_time_factor)
        self._residual, self._failure = 0.0, ''     # largest at the times of /clock
        self._last_left_out = LastLook()      # commands late or rejected
        self._message = mechanism_state(self._mechanism, self._start)
        self._state_pub = self.create_publisher(MechanismState, '~/state', stream_qos(rate))
        self._clock_pub = self.create_publisher(ClockMessage, '/clock', CLOCK_QOS)
        self._clock_sampler = Sampler(self._settings.clock_rate).due
        self._diagnostics = Diagnostics(self, self._health)
        self._barrier = StartupBarrier(self, self._settings.wait_for_nodes)
        self._other_run = OtherRun(self, CLOCK_QOS)
        self._waiting = WaitingLog(self)
        self._timer = self._every(LOOK_PERIOD, self._wait)

    @property
    def _followed(self) -> list[Followers]:
        """The Followers that time waits for."""
        return [one for one in (self._followers, self._player) if one]

    def _trajectory(self) -> Trajectory | None:
        """Return the Trajectory of the parameters, None without one."""
        settings = declare_settings(self, TrajectorySettings, 'trajectory.')
        return None if settings.kind == 'none' else plan(self._mechanism, settings)

    def _controller(self, trajectory: Trajectory | None) -> ControlTopics | None:
        """Return the ControlTopics for a Trajectory, None without one."""
        settings = declare_settings(self, ControlSettings, 'control.')
        waits = self._settings.wait_for_judgements
        if waits and (trajectory is None or settings.reaction_delay == 0.0):
            raise ValueError('wait_for_judgements: there is nothing to wait for, expected a '
                             'trajectory.kind and a control.reaction_delay above 0')
        if trajectory is None:
            return None
        if waits:
            self._follow('control.reaction_delay', settings.reaction_delay, 'judgements')
        require_common_steps(1.0 / settings.rate, 1.0 / self._settings.publish_rate,
                             self._settings.step)
        return ControlTopics(self, self._mechanism, self._prototype, trajectory, settings,
                             self._followers.reach if waits else lambda stamp: None)

    def _follow(self, name: str, most_ahead: float, news: str) -> None:
        """Let time be ahead of others by at most a parameter [s]."""
        period = 1.0 / self._settings.publish_rate
        if most_ahead < period * (1.0 - 1e-9):
            raise ValueError(f'{name}: {most_ahead:g} must be >= {period:g}, the period of '
                             'publish_rate: time waits for news of a state, and could not reach '
                             'the next one')
        self._followers = Followers(self._start, most_ahead, news, self.get_logger().warning)

    def _on_estimate(self, serialised: bytes) -> None:
        try:
            reached = serialised_stamp(serialised)
        except MalformedStampError as error:
            self.get_logger().warning(f'estimate: {error}', throttle_duration_sec=5.0)
            return
        if reached <= self._now():      # the future cannot be known
            self._followers.reach(reached)
            return
        self._estimates_ahead += 1
        self.get_logger().warning(f'estimate left out: {AHEAD}', throttle_duration_sec=5.0)

    def _every(self, period: float, callback: Callable[[], None]) -> Timer:
        """Call back once a period of wall time."""
        return self.create_timer(period, callback, clock=Clock(clock_type=ClockType.STEADY_TIME))

    def _then(self, period: float, callback: Callable[[], None]) -> None:
        """Replace the present timer."""
        self.destroy_timer(self._timer)
        self._timer = self._every(period, callback)

    def _wait(self) -> None:
        """Begin when all nodes are there."""
        try:
            absent = self._absent()
        except ValueError as error:
            self.get_logger().fatal(str(error))
            raise SystemExit(USER_ERROR) from None
        if absent:
            self._waiting.update(absent)
            return
        settings = self._settings
        self._commands.publish(self._start, self._prototype.parameters)
        self._begin = self._time.now()
        self._partners_back = PartnersBack(self)
        self._then(max(SHORTEST_PERIOD, 1.0 / settings.publish_rate / settings.real_time_factor),
                   self._move)
        self._publish()

    def _absent(self) -> list[str]:
        """Return the names of what the run still waits for."""
        absent = self._barrier.absent()
        if time.monotonic() < self._earliest:
            absent.append('word of another run in this ROS domain')
        if self._settings.wait_for_nodes and not self._state_pub.get_subscription_count():
            absent.append(f'a subscriber of {self._state_pub.topic_name}')
        if self._settings.wait_for_commands and not self._commands.held.used:
            absent.append('a command to a valve')
        if self._player and self._player.missing:
            absent.append(self._player.missing)
        return absent or self._other_run.awaited()

    def _move(self) -> None:
        """Publish every state that is due."""
        if self._is_held_up():
            return
        # Only briefly: a machine that is behind must still take its commands.
        until = time.monotonic() + LONGEST_MOVE
        while self._published < self._due() and self.context.ok() and time.monotonic() < until:
            try:
                self._prototype.advance(self._act)
            except (StepError, MechanismError) as error:
                self._failure = str(error)
                self.get_logger().error(f'simulation stopped: {error}')
                self._then(AFTERGLOW_PERIOD, self._repeat)
                return
            self._commands.publish_changes()
            self._keep_distance()
            self._publish()
        if self._player and time.monotonic() > self._earliest + AFTERGLOW_PERIOD:
            self._earliest = time.monotonic()
            self._repeat()      # the player may have missed the time for which it is waited for
        if self._published == self._last:
            self.get_logger().info(f'{self._settings.duration:g} s simulated, '
                                   f'largest loop residual {self._residual:.2g} m; it repeats '
                                   'the last time for nodes that missed it, until Ctrl-C')
            self._then(AFTERGLOW_PERIOD, self._repeat)

    def _is_held_up(self) -> bool:
        """Return whether time waits for others that are not connected again yet."""
        now = self._time.now()
        if not self._partners_back.are_all_there():
            self._lost_time = now if self._lost_time is None else self._lost_time
            return True
        if self._lost_time is not None:
            self._begin += now - self._lost_time
            self._lost_time = None
        return False

    def _keep_distance(self) -> None:
        """Wait: no machine catches up at once, so bursts of states would be wrong."""
        now = time.monotonic()
        if now < self._earliest:
            time.sleep(self._earliest - now)
            now = self._earliest
        self._earliest = now + self._gap

    def _due(self) -> int:
        """Return the number of the last state that is due and not too far ahead of others."""
        elapsed = (self._time.now() - self._begin) * self._settings.real_time_factor
        for one in self._followed:
            wanted = self._start + from_seconds(elapsed)
            elapsed = 1e-9 * (one.allowed(wanted) - self._start)
        # Stamps are whole nanoseconds: one that rounding puts just before a state reaches it.
        return min(self._last, int((elapsed + 1e-9) * self._settings.publish_rate))

    def _act(self, offset: int) -> None:
        """Let commands and controller act on a step that begins `offset` [ns] after the start."""
        self._commands.held.act(self._prototype, self._start + offset)
        if self._contacts:
            self._contacts.act(self._prototype, self._control.trajectory_time(offset),
                               1e-9 * offset)
        if self._control:
            self._control.act(offset, self._start + offset)

    def _publish(self) -> None:
        """Publish the next state, then, if due, its time: at that time the state is known."""
        self._published += 1
        now, state = self._now(), self._prototype.state
        self._true_readings.publish(now)        # of the torques so far
        if self._control:       # at once, though the torques hold from here on, not before
            self._control.act(now - self._start, now)
        if self._contacts:
            self._contacts.publish(now, self._prototype.contacts)
        if self._oil:
            self._oil.publish(now, self._prototype.oil)
        self._state_pub.publish(refilled(
            self._message, now, z=state.z, zd=state.zd, zdd=state.zdd,
            q=state.q, qd=state.qd, qdd=state.qdd))
        if self._clock_sampler(now) is not None or self._published == self._last:
            self._residual = max(self._residual, self._prototype.loop_residual)
            self._clock_pub.publish(ClockMessage(clock=stamp(now)))

    def _repeat(self) -> None:
        """Publish the last time again, so that no node misses it."""
        self._clock_pub.publish(ClockMessage(clock=stamp(self._now())))

    def _now(self) -> int:
        """Return the stamp of the last published state [ns]."""
        return self._start + from_seconds(self._published / self._settings.publish_rate)

    def _health(self) -> Health:
        """Log how far the run is."""
        if self._begin is None:
            return Health(OK, 'waiting for others')
        if self._failure:
            return Health(ERROR, f'stopped: {self._failure}')
        held = self._commands.held
        message = 'finished' if self._published == self._last else 'running'
        wrong = [words for words in (
            *(one.wrong for one in self._followed),
            self._control.wrong if self._control else '',
            f'estimates left out: {AHEAD}' if self._estimates_ahead else '',
            'commands came late or were left out'
            if self._last_left_out.grown_by(held.late + held.rejected) > 0 else '',
            publishers_of_time(self)) if words]
        return Health(WARN if wrong else OK, '; '.join(wrong) or message, {
            'commands used': held.used, 'commands late': held.late,
            'commands rejected': held.rejected,
            'engine': self._settings.engine, 'states published': self._published + 1,
            'largest loop residual [m]': f'{self._residual:.3g}',
            **({'times without waiting': sum(one.times for one in self._followed),
                'estimates ahead of time': self._estimates_ahead} if self._followed else {}),
            **(self._control.health if self._control else {})})


main = NodeMain(PrototypeNode)
