"""The uncorrected model: a mechanism simulated beside the real one or its prototype."""

from dataclasses import dataclass
import time

from rclpy.node import Node

from mb_interfaces.msg import MechanismState
from mb_model.formulations import FORMULATIONS, StepError, make_stepper
from mb_model.mechanism import load_mechanism
from mb_model.model_errors import ModelErrors, apply_model_errors
from mb_model.settings import Settings, setting
from mb_model.stream import SimulationStream
from mb_model.warm_up import warm_up_steps
from mb_ros.diagnostics import ERROR, OK, WARN, Diagnostics, Health
from mb_ros.node_main import run
from mb_ros.parameters import declare_settings
from mb_ros.qos import STREAM_QOS
from mb_ros.stamps import from_seconds
from mb_ros.states import mechanism_state

LONGEST_CALLBACK = 0.05     # wall time spent on catching up before others get their turn [s]
BEHIND = 1_000_000_000      # a simulation that lags more than this is told [ns]


@dataclass(frozen=True)
class SimulationSettings(Settings):
    """What is simulated, from when on and how finely."""

    mechanism: str = setting('four_bar', help='Name of a mechanism or path of its file')
    formulation: str = setting('index3_al', choices=tuple(FORMULATIONS),
                               help='Formulation of the equations of motion')
    integrator: str = setting('', help='Integrator; empty: the default of the formulation')
    start_time: float = setting(0.0, unit='s', at_least=0.0,
                                help='Stamp of the first state; 0: when the node first sees a time')
    publish_rate: float = setting(200.0, unit='Hz', above=0.0,
                                  help='States per second of ROS time')
    step: float = setting(0.001, unit='s', above=0.0, help='Longest integration step')


class ModelSimulationNode(Node):
    """Follows the ROS clock and publishes a state for every period of it, none left out."""

    def __init__(self):
        super().__init__('model_simulation')
        settings = declare_settings(self, SimulationSettings)
        errors = declare_settings(self, ModelErrors, 'model_errors.')
        self._mechanism = apply_model_errors(load_mechanism(settings.mechanism), errors)
        stepper = make_stepper(self._mechanism, settings.formulation, settings.integrator or None)
        warm_up_steps(settings.formulation, settings.integrator or None)
        self._stream = SimulationStream(stepper, settings.publish_rate, settings.step)
        self._start = from_seconds(settings.start_time)
        self._failure = ''
        self._publisher = self.create_publisher(MechanismState, '~/state', STREAM_QOS)
        self._diagnostics = Diagnostics(self, self._health)
        # Four looks per period: simulated time that jumps by a whole period always meets one.
        self._timer = self.create_timer(0.25 / settings.publish_rate, self._follow_clock)

    def _follow_clock(self):
        """Publish every state that is due."""
        now = self.get_clock().now().nanoseconds
        if now == 0 or self._failure:
            return
        if self._start == 0:
            self._start = now
        until = time.monotonic() + LONGEST_CALLBACK
        while self._due() <= now and time.monotonic() < until:
            try:
                state = self._stream.advance()
            except StepError as error:
                self._failure = str(error)
                self.get_logger().error(f'simulation stopped: {error}')
                return
            self._publisher.publish(mechanism_state(
                self._mechanism, self._start + state.offset, z=state.z, zd=state.zd, zdd=state.zdd,
                q=state.q, qd=state.qd, qdd=state.qdd))

    def _due(self):
        """Return the stamp of the next state [ns]."""
        return self._start + self._stream.next_offset

    def _health(self):
        values = {'states': self._stream.count, 'mechanism': self._mechanism.name}
        if self._failure:
            return Health(ERROR, f'stopped: {self._failure}', values)
        now = self.get_clock().now().nanoseconds
        if now and self._start and now - self._due() > BEHIND:
            behind = (now - self._due()) / 1e9
            return Health(WARN, f'{behind:.1f} s behind the clock, start_time is '
                                f'{self._start / 1e9:g} s', values)
        return Health(OK, 'simulating' if self._stream.count else 'waiting for its time', values)


def main():
    """Run the node."""
    run(ModelSimulationNode)
