"""The driver that docs/how_to/your_own_driver.md shows: the estimator gets what it publishes."""

from pathlib import Path
import re

from diagnostic_msgs.msg import DiagnosticArray
from message_bags import write_messages
import pytest
from rclpy.qos import QoSProfile, qos_profile_sensor_data
import sensor_msgs.msg
from sensor_msgs.msg import JointState
import yaml

from mb_estimators.nodes.estimator import EstimatorNode
from mb_interfaces.msg import MechanismState
from mb_model import load_mechanism
from mb_ros.node_bench import on_bench, spin_until
from mb_ros.qos import STREAM_QOS
from mb_ros.states import joint_state
from mb_sensors import open_bag, sensors_of
from mb_sensors.kinds import sensor_kinds

DOCS = Path(__file__).resolve().parents[3] / 'docs'
PAGE = (DOCS / 'how_to/your_own_driver.md').read_text()
PUMPJACK = DOCS / 'tutorials/own_mechanism/pumpjack.yaml'
QOS = {'default': 10, 'sensor_data': qos_profile_sensor_data, 'ours': STREAM_QOS,
       'shallow': QoSProfile(depth=1)}


def block(language):
    """Return the code of the page in a language."""
    found, = re.findall(rf'```{language}\n(.*?)```', PAGE, re.DOTALL)
    return found


def driver_of_page(qos=10):
    """Return the page's class with another quality of service; it notes what the estimator says."""
    code = block('python')
    assert "'beam_inclination', 10)" in code
    names = {'__name__': 'driver', 'qos': qos}
    exec(compile(code.replace("'beam_inclination', 10)", "'beam_inclination', qos)"),
                 'driver.py', 'exec'), names)

    class Noting(names['Driver']):
        def __init__(self):
            super().__init__()
            self.states, self.health = [], []
            self.create_subscription(MechanismState, 'estimator/state', self.states.append, 10)
            self.create_subscription(DiagnosticArray, '/diagnostics', self.health.append, 10)

        def has_health(self, words):
            return any(words in status.message for array in self.health for status in array.status)
    return Noting


def estimator_of_page(mechanism=PUMPJACK):
    """Return the parameters of the page's estimator, of a mechanism."""
    command = next(line for line in block('bash').splitlines() if 'ros2 run' in line)
    given = dict(re.findall(r'-p "?(\w+):=([^" ]+(?:, \w+)*\]?)', command))
    assert DOCS.parent / given['mechanism'] == PUMPJACK
    return [f'{name}:={value}' for name, value in (given | {'mechanism': mechanism}).items()]


MISSING = ('crank_speed: no velocity of crank_joint in messages on joint_states, expected one of '
           'crank, beam_joint, gripper (as `joint_name` in the mechanism file)')


def with_joints(folder):
    """Return the path of the pumpjack with the page's sensors, written to a folder."""
    described = yaml.safe_load(PUMPJACK.read_text()) | yaml.safe_load(block('yaml'))
    file = folder / 'pumpjack.yaml'
    file.write_text(yaml.safe_dump(described, sort_keys=False))
    return str(file)


@pytest.mark.parametrize('qos', QOS.values(), ids=QOS)
def test_the_driver_of_the_page_gives_estimates(qos):
    with on_bench(EstimatorNode, driver_of_page(qos), estimator_of_page()) as (_, driver):
        spin_until(driver, lambda: len(driver.states) > 20)
    assert driver.states[-1].mechanism == 'pumpjack'


def test_joints_of_a_machine_are_those_of_the_page(tmp_path, capfd):
    """A JointState with joints in another order; one that does not come is named once."""
    parameters = [one if 'sensors' not in one else 'sensors:=[beam_inclination, crank_speed]'
                  for one in estimator_of_page(with_joints(tmp_path))]

    class Robot(driver_of_page()):
        names = 'crank', 'beam_joint', 'gripper'

        def __init__(self):
            super().__init__()
            self.publisher = self.create_publisher(JointState, 'joint_states', 10)

        def publish(self):
            message = JointState(name=self.names, position=[5.0, self.angle(), 7.0],
                                 velocity=[2.0, 0.1, 0.0], effort=[1.0, 1.0, 1.0])
            message.header.stamp = self.get_clock().now().to_msg()
            self.publisher.publish(message)

    with on_bench(EstimatorNode, Robot, parameters) as (_, robot):
        spin_until(robot, lambda: robot.has_health(MISSING))
        count = len(robot.health)
        spin_until(robot, lambda: len(robot.health) > count + 2)
        assert capfd.readouterr().err.count(MISSING) == 1
        robot.names = 'gripper', 'beam_joint', 'crank_joint'
        robot.states.clear()
        spin_until(robot, lambda: len(robot.states) > 20)
        robot.health.clear()
        spin_until(robot, lambda: robot.health and not robot.has_health('crank_speed: no'))


def test_a_bag_without_a_joint_is_refused_by_its_name(tmp_path):
    sensors = sensors_of(load_mechanism(with_joints(tmp_path)), ['beam_inclination', 'crank_speed'])
    write_messages(tmp_path / 'bag', [
        ('/joint_states', joint_state(k, ['crank', 'beam_joint', 'gripper'], [5.0, 0.1, 7.0],
                                      [2.0, 0.1, 0.0]), k)
        for k in range(10 ** 9, 2 * 10 ** 9, 10 ** 8)], 'sqlite3')
    with open_bag(tmp_path / 'bag') as bag:
        stamps, readings = bag.readings(sensors[:1])
        assert len(stamps) == 10
        assert (readings == 0.1).all()
        with pytest.raises(ValueError, match=re.escape(MISSING)):
            bag.readings(sensors)


def test_publisher_in_cpp_fills_fields_that_there_are():
    code = block('cpp')
    message = getattr(sensor_msgs.msg, re.search(r'sensor_msgs::msg::(\w+)>', code)[1])()
    for path in re.findall(r'message\.([a-z_.]+) =', code):
        part = message
        for name in path.split('.'):
            part = getattr(part, name)
    sensor, = sensors_of(load_mechanism(str(PUMPJACK)), 'beam_inclination')
    assert f'("{sensor.topic}", 10)' in code
    assert f'name = {{"{sensor.joints[0]}"}}' in code


@pytest.mark.parametrize('kind', sensor_kinds().values(), ids=sensor_kinds())
def test_the_page_has_the_message_of_every_kind(kind):
    rows = [row for row in PAGE.splitlines() if row.startswith('| ') and (
        f'`{kind.name}`' in row or ('encoder' in kind.name and row.startswith('| encoders')))]
    package, _, name = kind.message.type_name.split('/')
    assert any(f'`{package}/{name}`' in row for row in rows)
