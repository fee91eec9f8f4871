"""The model in motion: a mechanism simulated beside the real one, its prototype, or alone."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
import time
from typing import Any

from geometry_msgs.msg import WrenchStamped
from rclpy.clock import Clock, ClockType
from sensor_msgs.msg import JointState
from std_msgs.msg import String
from std_srvs.srv import Trigger

from mb_interfaces.msg import MechanismState
from mb_model.integration.registry import FORMULATIONS
from mb_model.mechanism import load_mechanism
from mb_model.mechanism_file.description import MechanismError
from mb_model.model_errors import ModelErrors, apply_model_errors
from mb_model.settings import LATEST, Settings, setting
from mb_model.simulation.arrays import run_text
from mb_model.simulation.held_forces import HeldForces
from mb_model.simulation.stream import SimulationStream
from mb_model.stepping.formulation_stepper import make_stepper, usual_formulation, why_usual
from mb_model.stepping.stepper import StepError
from mb_model.warm_up import warm_up_steps
from mb_ros.confirmed_clock import ConfirmedClock
from mb_ros.diagnostics import ERROR, OK, WARN, Diagnostics, Health, LastLook
from mb_ros.guards import GuardedNode
from mb_ros.node_main import NodeMain
from mb_ros.offered_qos import AcceptingSubscription
from mb_ros.parameters import declare_settings
from mb_ros.qos import COMMAND_QOS, LATCHED_QOS, stream_qos
from mb_ros.stamps import from_seconds, nanoseconds
from mb_ros.states import mechanism_state

LONGEST_CALLBACK = 0.05     # wall time spent on catching up before others get their turn [s]
USUAL = 'usual'             # formulation: the one for the mechanism
BEHIND = 1_000_000_000      # a simulation that lags more than this is reported [ns]


@dataclass(frozen=True)
class SimulationSettings(Settings):
    """What is simulated, from when on and how finely."""

    mechanism: str = setting('four_bar', help='Name of a mechanism or path of its file')
    formulation: str = setting(USUAL, choices=(*FORMULATIONS, USUAL),
                               help='Formulation of the equations of motion; usual: index3_al, '
                                    'where bodies roll matrix_r')
    integrator: str = setting('', help='Integrator; empty: the default of the formulation')
    start_time: float = setting(0.0, unit='s', at_least=0.0, at_most=LATEST,
                                help='Stamp of the first state; 0: when the node first sees a time')
    publish_rate: float = setting(200.0, unit='Hz', at_least=0.1, at_most=1e4,
                                  help='States per second of ROS time')
    step: float = setting(0.001, unit='s', at_least=1e-5, at_most=1.0,
                          help='Longest integration step')
    force_timeout: float = setting(
        0.0, unit='s', at_least=0.0,
        help='How long a force from a topic holds, from its stamp on; 0: until the next one')
    force_delay: float = setting(
        0.0, unit='s', at_least=0.0,
        help='How far states stay behind the clock, so that forces have come whose stamps are '
             'older; then the motion depends on nothing but the stamps')


class ModelSimulationNode(GuardedNode):
    """Follows the ROS clock and publishes a state for every period of it, none left out."""

    def __init__(self, **options: Any) -> None:
        super().__init__('model_simulation', **options)
        self._settings = settings = declare_settings(self, SimulationSettings)
        errors = declare_settings(self, ModelErrors, 'model_errors.')
        self._mechanism = apply_model_errors(load_mechanism(settings.mechanism), errors)
        chosen = settings.formulation == USUAL
        formulation = usual_formulation(self._mechanism) if chosen else settings.formulation
        of_formulation = declare_settings(self, FORMULATIONS[formulation].Settings)
        self._stepper = make_stepper(self._mechanism, formulation, settings.integrator or None,
                                     **asdict(of_formulation))
        if chosen:
            self.get_logger().info(f'formulation: {formulation}, {why_usual(self._mechanism)}')
        warm_up_steps(formulation, settings.integrator or None)
        self._forces = HeldForces(self._mechanism, settings.force_timeout)
        self._begin(from_seconds(settings.start_time))
        self._paused, self._time = False, ConfirmedClock(self)
        self._last_left_out = LastLook()      # forces rejected or late
        self._publisher = self.create_publisher(
            MechanismState, '~/state', stream_qos(settings.publish_rate))
        self._text_publisher = self.create_publisher(String, '~/description', LATCHED_QOS)
        self._text_publisher.publish(String(data=run_text(
            self._mechanism, formulation, self._stepper.integrator,
            asdict(of_formulation), 1.0 / settings.publish_rate)))
        self._diagnostics = Diagnostics(self, self._health)
        for kind, name, add in ((JointState, 'forces', self._add_forces),
                                (WrenchStamped, 'wrench', self._add_wrench)):
            AcceptingSubscription(self, kind, f'~/{name}', partial(self._take, add), COMMAND_QOS)
        for name, act in (('pause', self._pause), ('resume', self._resume),
                          ('reset', self._reset)):
            self.create_service(Trigger, f'~/{name}', partial(_answer, act))
        # Four looks per period: simulated time that jumps by a whole period always meets one.
        self._timer = self.create_timer(0.25 / settings.publish_rate, self._follow_clock)
        # What is left of a long time catches up though simulated time stands still.
        self._rest = self.create_timer(LONGEST_CALLBACK, self._follow_clock,
                                       clock=Clock(clock_type=ClockType.STEADY_TIME))

    def _begin(self, start: int) -> None:
        """Make ready for the first state at a stamp [ns], 0: as soon as there is a time."""
        self._start, self._failure = start, ''
        self._stream = SimulationStream(
            self._stepper, self._settings.publish_rate, self._settings.step,
            lambda stepper, offset: self._forces.act(stepper, self._start + offset))

    def _follow_clock(self) -> None:
        """Publish every state that is due."""
        now = self._now()
        if now <= 0 or self._failure or self._paused:
            return
        if self._start == 0:
            self._start = now
        until = time.monotonic() + LONGEST_CALLBACK
        while self._due() <= now and time.monotonic() < until:
            try:
                state = self._stream.advance()
            except (StepError, MechanismError) as error:
                self._failure = str(error)
                self.get_logger().error(f'simulation stopped: {error}')
                return
            self._publisher.publish(mechanism_state(
                self._mechanism, self._start + state.offset, z=state.z, zd=state.zd, zdd=state.zdd,
                q=state.q, qd=state.qd, qdd=state.qdd, generalized_force=state.forces))

    def _take(self, add: Callable[[int, Any], None], message: Any, _info: Any) -> None:
        """Take in a message by `add`; log what is wrong with it."""
        try:
            add(nanoseconds(message.header.stamp), message)
        except ValueError as error:
            self.get_logger().warning(f'forces left out: {error}', throttle_duration_sec=5.0)

    def _add_forces(self, stamp: int, message: JointState) -> None:
        self._forces.add_forces(stamp, list(message.name), list(message.effort))

    def _add_wrench(self, stamp: int, message: WrenchStamped) -> None:
        force, torque = message.wrench.force, message.wrench.torque
        self._forces.add_load(stamp, message.header.frame_id, (force.x, force.y, force.z),
                              (torque.x, torque.y, torque.z))

    def _pause(self) -> str:
        self._paused = True
        return 'paused'

    def _resume(self) -> str:
        """Go on from the present time on: later stamps move by the length of the pause."""
        if self._paused and self._start:
            self._start += max(0, self._now() - self._due())
        self._paused = False
        return 'running'

    def _reset(self) -> str:
        """Start anew, from the present time on and without forces."""
        self._stepper.reset()
        self._forces.clear()
        self._begin(0)
        return 'at the start'

    def _now(self) -> int:
        """Return the time that states may have reached [ns]."""
        return self._time.now() - from_seconds(self._settings.force_delay)

    def _due(self) -> int:
        """Return the stamp of the next state [ns]."""
        return self._start + self._stream.next_offset

    def _health(self) -> Health:
        held = self._forces
        values = {'states': self._stream.count, 'mechanism': self._mechanism.name,
                  'forces used': held.used, 'forces late': held.late,
                  'forces rejected': held.rejected,
                  'steps of the clock not believed': self._time.denied}
        error = self._stream.second and self._stream.second.estimate()
        if error is not None:
            values['estimated error'] = error.words(self._mechanism)
        if self._failure:
            return Health(ERROR, f'stopped: {self._failure}', values)
        if self._paused:
            return Health(OK, 'paused', values)
        others = self._time.others()
        if others:
            return Health(WARN, others, values)
        now = self._now()
        if now > 0 and self._start and now - self._due() > BEHIND:
            behind = (now - self._due()) / 1e9
            return Health(WARN, f'{behind:.1f} s behind the clock, start_time is '
                                f'{self._start / 1e9:g} s', values)
        if self._last_left_out.grown_by(held.rejected + held.late) > 0:
            return Health(WARN, 'forces came late or were left out', values)
        if error is not None and error.problem(self._mechanism):
            return Health(WARN, error.problem(self._mechanism), values)
        return Health(OK, 'simulating' if self._stream.count else 'waiting for its time', values)


def _answer(act: Callable[[], str], request: Any, response: Any) -> Any:
    """Do what a Trigger asks for; write the result to its response."""
    try:
        response.message = act()
        response.success = True
    except MechanismError as error:
        response.message = str(error)
    return response


main = NodeMain(ModelSimulationNode)
