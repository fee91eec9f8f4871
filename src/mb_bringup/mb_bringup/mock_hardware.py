"""ros2_control with mock hardware that stands at the start of a machine: nodes and description.

Written by the documentation of ros2_control (Jazzy): mock_components/GenericSystem keeps the
initial values of its state interfaces, and gives a commanded effort back as the measured one.
"""

from collections.abc import Sequence
from typing import Any
from xml.etree import ElementTree

from launch_ros.actions import Node
import numpy as np

from mb_model import Mechanism
from mb_model.file_api import read_parameters
from mb_sensors import Sensor, SensorError, sensors_of, true_values

MANAGER = 'controller_manager'
JOINTS, IMU = 'sensor_msgs/msg/JointState', 'sensor_msgs/msg/Imu'
WRENCH = 'geometry_msgs/msg/WrenchStamped'
WHOLE = {       # state interfaces that a broadcaster asks for, as they are at rest
    IMU: {**{f'orientation.{axis}': float(axis == 'w') for axis in 'xyzw'},
          **{f'{vector}.{axis}': 0.0 for vector in ('angular_velocity', 'linear_acceleration')
             for axis in 'xyz'}},
    WRENCH: {f'{vector}.{axis}': 0.0 for vector in ('force', 'torque') for axis in 'xyz'}}


def mock_nodes(mechanism: Mechanism, config: Sequence[str]) -> list[Any]:
    """Return controller_manager with mock hardware, and the spawner of its controllers.

    config: parameter files, with a section of controller_manager and of each controller.  Raises
    ValueError where they name no controller.
    """
    controllers = [name.removesuffix('.type') for name in read_parameters(config, MANAGER)
                   if name.endswith('.type')]
    if not controllers:
        raise ValueError(f'config: {", ".join(config)}: {MANAGER}: no controller with a type, '
                         'expected such as joint_state_broadcaster: {type: '
                         'joint_state_broadcaster/JointStateBroadcaster}')
    described = {'robot_description': description(mechanism, config)}
    files = [word for file in config for word in ('--param-file', file)]
    return [
        Node(package='robot_state_publisher', executable='robot_state_publisher', output='screen',
             parameters=[described]),
        Node(package=MANAGER, executable='ros2_control_node', output='screen',
             parameters=list(config), remappings=[('~/robot_description', '/robot_description')]),
        Node(package=MANAGER, executable='spawner', output='screen',
             arguments=[*controllers, *files])]


def description(mechanism: Mechanism, config: Sequence[str]) -> str:
    """Return the URDF of mock hardware with the joints and sensors that are broadcast.

    Joints by the sensors of the mechanism with a JointState, sensors by the `sensor_name` of the
    broadcaster whose topic they have.  Raises ValueError where there is none.
    """
    robot = ElementTree.Element('robot', name=mechanism.name)
    ElementTree.SubElement(robot, 'link', name='base_link')
    system = ElementTree.Element('ros2_control', name='mock', type='system')
    hardware = ElementTree.SubElement(system, 'hardware')
    ElementTree.SubElement(hardware, 'plugin').text = 'mock_components/GenericSystem'
    joints, devices = _broadcast(mechanism, config)
    for joint, values in joints.items():
        _hinge(robot, joint)
        element = ElementTree.SubElement(system, 'joint', name=joint)
        if 'effort' in values:
            ElementTree.SubElement(element, 'command_interface', name='effort')
        _states(element, values)
    for device, values in devices.items():
        _states(ElementTree.SubElement(system, 'sensor', name=device), values)
    robot.append(system)
    return ElementTree.tostring(robot, encoding='unicode')


def _broadcast(mechanism: Mechanism, config: Sequence[str]) -> tuple[dict[str, Any],
                                                                     dict[str, Any]]:
    """Return the values at rest, by state interface, of joints and of sensors, by their names."""
    joints: dict[str, dict[str, float]] = {}
    devices: dict[str, dict[str, float]] = {}
    for sensor in sensors_of(mechanism, list(mechanism.sensors)):
        codec, values = sensor.message, _at_rest(mechanism, sensor)
        if codec.type_name == JOINTS:
            of_joint = joints.setdefault(sensor.joints[0], {})
            of_joint[codec.field] = values[0]       # type: ignore[attr-defined]
        elif codec.type_name in WHOLE:
            broadcaster = sensor.topic.partition('/')[0]
            name = read_parameters(config, broadcaster).get('sensor_name')
            if not name:
                raise ValueError(f'config: {", ".join(config)}: {broadcaster}: sensor_name: '
                                 f'missing, expected the name of the sensor of {sensor.topic}')
            of_device = devices.setdefault(name, dict(WHOLE[codec.type_name]))
            if codec.type_name == IMU:
                of_device |= {f'{codec.vector}.{axis}': value   # type: ignore[attr-defined]
                              for axis, value in zip(codec.axes(sensor), values, strict=True)}  # type: ignore[attr-defined]
        else:
            raise SensorError(f'{sensor.name}: no broadcaster of ros2_control sends '
                              f'{codec.type_name}')
    return joints, devices


def _at_rest(mechanism: Mechanism, sensor: Sensor) -> list[float]:
    """Return what a Sensor reads where the machine stands at its start; zeros of forces."""
    if not len(sensor.records):
        return [0.0] * len(sensor.channels)
    still = np.zeros((1, mechanism.n))
    return [float(value) for value in true_values(mechanism, sensor, mechanism.q0[None], still,
                                                  still)[0]]


def _hinge(robot: Any, joint: str) -> None:
    """Add a joint of the URDF with a link: broadcasters leave out what it does not have."""
    ElementTree.SubElement(robot, 'link', name=f'{joint}_link')
    element = ElementTree.SubElement(robot, 'joint', name=joint, type='continuous')
    ElementTree.SubElement(element, 'parent', link='base_link')
    ElementTree.SubElement(element, 'child', link=f'{joint}_link')
    ElementTree.SubElement(element, 'axis', xyz='0 0 1')


def _states(element: Any, values: dict[str, float]) -> None:
    """Add state interfaces with their initial values."""
    for name, value in values.items():
        state = ElementTree.SubElement(element, 'state_interface', name=name)
        ElementTree.SubElement(state, 'param', name='initial_value').text = repr(value)
