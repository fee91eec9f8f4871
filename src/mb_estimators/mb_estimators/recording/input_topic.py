"""Topics with the inputs of filters, live or in a bag: commands of valves, known forces."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import isfinite
from typing import Any, NamedTuple

from mb_estimators.timeline import COMMANDS, READINGS, HeldInputs, inputs_class
from mb_model import Mechanism
from mb_sensors import Sensor, sensors_of

COMMAND_TOPIC, COMMAND_TYPE = 'valve_command', 'mb_interfaces/msg/ValveCommand'
FORCES_TYPE = 'sensor_msgs/msg/JointState'
NUMBERS_TYPE = 'std_msgs/msg/Float64MultiArray'     # without names and without a stamp
MOTOR = 'motor_torque'      # kind of sensor that knows what a drive's joint is called


class InputTopic(NamedTuple):
    """A topic with the inputs of a filter, live or in a bag.

    values: returns the inputs (u) in a message; raises ValueError; inputs: how they act over time.
    """

    name: str
    message_type: str
    values: Callable[[Any], list[float]]
    inputs: type[HeldInputs]

    @property
    def is_stamped(self) -> bool:
        """Whether its messages have a stamp; others act from their arrival on."""
        return self.message_type != NUMBERS_TYPE

    @property
    def is_commanded(self) -> bool:
        """Whether its messages are commands: older ones than the reader are stale."""
        return self.message_type in (COMMAND_TYPE, NUMBERS_TYPE)


def input_topic(mechanism: Mechanism, takes_commands: bool, known_forces: str = '',
                torques_are: str = '', command_joints: Sequence[str] = ()) -> InputTopic | None:
    """Return the InputTopic of a filter, None for one without inputs.

    takes_commands: whether its inputs are commands of valves; known_forces: topic of forces on
    degrees of freedom, which are its inputs else; empty: none; torques_are: see inputs_class;
    command_joints: joints, or degrees of freedom, in the order of the numbers on that topic; empty:
    its messages have names.  Raises ValueError.
    """
    if takes_commands:
        return InputTopic(COMMAND_TOPIC, COMMAND_TYPE, partial(
            _valve_commands, mechanism.circuit.valves), HeldInputs) if mechanism.circuit else None
    if command_joints:
        return _commanded(mechanism, known_forces, torques_are, command_joints)
    if not known_forces:
        return None
    joints = joints_of_motors(mechanism, known_forces)
    values = (partial(_efforts_of_joints, known_forces, joints, len(mechanism.independent))
              if joints else partial(_known_forces, mechanism.independent))
    return InputTopic(known_forces, FORCES_TYPE, values, inputs_class(known_forces, torques_are))


def joints_of_motors(mechanism: Mechanism, topic: str = '') -> dict[str, int]:
    """Return {name of a joint: number of the degree of freedom that its motor drives}.

    By the sensors of kind motor_torque in the mechanism file; topic: only of motors whose readings
    it has; empty: all.
    """
    motors: list[Sensor] = sensors_of(mechanism, [
        name for name, entry in mechanism.sensors.items()
        if isinstance(entry, dict) and entry.get('kind') == MOTOR])
    return {motor.joints[0]: mechanism.independent.index(motor.body) for motor in motors
            if motor.body in mechanism.independent
            and (not topic or motor.topic.strip('/') == topic.strip('/'))}


def _commanded(mechanism: Mechanism, topic: str, torques_are: str,
               names: Sequence[str]) -> InputTopic:
    """Return the topic of commands without names, as of a forward_command_controller."""
    if not topic:
        raise ValueError('known_forces: missing, expected the topic whose numbers are of '
                         f'command_joints {", ".join(names)}, such as effort_controller/commands')
    if torques_are == READINGS:
        raise ValueError(f'torques_are: {READINGS}: numbers on {topic} have no stamps, expected '
                         f'{COMMANDS} beside command_joints')
    known = {**joints_of_motors(mechanism),
             **{name: k for k, name in enumerate(mechanism.independent)}}
    for name in names:
        if name not in known:
            raise ValueError(f'command_joints: {name}: must be one of {", ".join(known)}: a degree '
                             f'of freedom, or the joint_name of a {MOTOR} sensor on one')
    indices = [known[name] for name in names]
    if len(set(indices)) < len(indices):
        raise ValueError(f'command_joints: {", ".join(names)}: expected one for each degree of '
                         'freedom at most')
    return InputTopic(topic, NUMBERS_TYPE, partial(
        _numbers, topic, names, indices, len(mechanism.independent)), HeldInputs)


def _valve_commands(valves: Sequence[str], message: Any) -> list[float]:
    """Return the commands (u) of valves by name in a ValveCommand.

    Raises ValueError for unknown and missing valves, and for commands that are not in -1..1.
    """
    given = dict(zip(message.valve, message.command, strict=False))
    if len(message.valve) != len(message.command) or set(given) != set(valves):
        raise ValueError(f'{COMMAND_TOPIC}: {len(message.command)} commands for '
                         f'{", ".join(message.valve) or "no valve"}, expected one for each of '
                         f'{", ".join(valves)}')
    for name, command in given.items():
        if not (isfinite(command) and -1.0 <= command <= 1.0):
            raise ValueError(f'{COMMAND_TOPIC}: {name}: {command} must be in -1..1')
    return [given[name] for name in valves]


def _known_forces(independent: Sequence[str], message: Any) -> list[float]:
    """Return the forces on degrees of freedom by name (g) in a JointState with efforts.

    They are zero where it names none.  Raises ValueError for unknown names, and for
    forces that are not finite.
    """
    given = dict(zip(message.name, message.effort, strict=False))
    if len(message.name) != len(message.effort) or not given.keys() <= set(independent):
        raise ValueError(f'known forces: {len(message.effort)} efforts of '
                         f'{", ".join(message.name) or "nothing"}, expected one each of '
                         f'{", ".join(independent)}')
    _require_finite(given)
    return [float(given.get(name, 0.0)) for name in independent]


def _efforts_of_joints(topic: str, joints: Mapping[str, int], size: int,
                       message: Any) -> list[float]:
    """Return the forces on degrees of freedom (g) by the efforts of their joints in a JointState.

    It may have other joints, too.  Raises ValueError where one of the joints has no finite effort.
    """
    given = dict(zip(message.name, message.effort, strict=False))
    absent = [joint for joint in joints if joint not in given]
    if absent:
        raise ValueError(f'known forces: no effort of {", ".join(absent)} in messages on {topic}, '
                         f'which have {", ".join(given) or "none"}')
    _require_finite({joint: given[joint] for joint in joints})
    forces = [0.0] * size
    for joint, k in joints.items():
        forces[k] = float(given[joint])
    return forces


def _numbers(topic: str, names: Sequence[str], indices: Sequence[int], size: int,
             message: Any) -> list[float]:
    """Return the forces on degrees of freedom (g) in a Float64MultiArray, by their order.

    Raises ValueError unless there is a finite number for each.
    """
    if len(message.data) != len(names):
        raise ValueError(f'known forces: {len(message.data)} numbers on {topic}, expected one for '
                         f'each of {", ".join(names)}')
    _require_finite(dict(zip(names, message.data, strict=True)))
    forces = [0.0] * size
    for k, force in zip(indices, message.data, strict=True):
        forces[k] = float(force)
    return forces


def _require_finite(forces: Mapping[str, float]) -> None:
    for name, force in forces.items():
        if not isfinite(force):
            raise ValueError(f'known forces: {name}: {force} must be finite')
