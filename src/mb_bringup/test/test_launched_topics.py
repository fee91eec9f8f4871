"""Topics of all launch files: one kind of content each, ends that fit, and the page about them."""

from functools import cache
from importlib.util import find_spec
from pathlib import Path

from documented_topics import EVERY, documented_nodes, documented_topics
from launched_file import passing_folder
from launched_nodes import LAUNCH_FILES, PLAYER, QUEUES, End, Launched, launched, option, running
import pytest
from rclpy.qos import (
    DurabilityPolicy,
    QoSCompatibility,
    QoSProfile,
    ReliabilityPolicy,
    qos_check_compatible,
)
from rclpy.serialization import serialize_message
import rosbag2_py
from rosidl_runtime_py.utilities import get_message
import yaml

from mb_model import load_mechanism
from mb_ros.states import type_name
from mb_sensors import by_topic, sensors_of
from mb_sensors.command_api import reading_type

SHOWN = {'view': 'rviz'}
RUNS = {            # launch file, arguments; each launch file once with all that looks on
    'three_simulation': ('three_simulation', {**SHOWN, 'disturbed': '0.01'}),
    'measured_joint_states': ('three_simulation', {**SHOWN, 'mechanism': 'stewart'}),
    'crane_payload': ('crane_payload', SHOWN),
    'excavator_weighing': ('excavator_weighing', SHOWN),
    'parallel_robot_contact': ('parallel_robot_contact', SHOWN),
    'measured_torques': ('parallel_robot_contact', {'torques': 'measured'}),
    'ros2_control': ('ros2_control', {'hardware': 'stand_in'}),
    'ros2_control_in_space': ('ros2_control', {
        'hardware': 'stand_in', 'mechanism': 'quadruped_leg'}),
    'recorded': ('recorded', SHOWN),
    'withheld_readings': ('recorded', {'recording': 'racing_car'}),
    'replay': ('replay', SHOWN),
    'other_nodes': ('', {})}
OTHERS = {          # that no launch file starts, or not in this way
    'estimator': ('mb_estimators/estimator', 'sensors:=[crank_encoder]', 'prediction_rate:=10.0'),
    'emulate': ('mb_sensors/emulate', 'device:=can', 'sensors:=[crank_encoder]',
                'can.interface:=virtual', 'crank_encoder.can.node_id:=5'),
    'marker_labels': ('mb_estimators/marker_labels', 'mechanism:=stewart',
                      'markers:=[platform_tracker]'),
    'model_server': ('mb_model/model_server',),
    'payload_estimator': ('mb_contact/payload_estimator', 'mechanism:=crane',
                          'unknown_centre:=load'),
    **({'web_view': ('mb_evaluation/web_view',)} if find_spec('rerun') else {})}
# They stand for drivers of others, which are volatile: subscriptions take what is offered.
OTHER_DRIVERS = 'broadcasters',
LOOKERS = {'markers', 'robot_description', 'disturber'}     # started on demand
OF_ROS = '/rosout', '/parameter_events'
RVIZ = Path(__file__).parents[1] / 'rviz'


@pytest.fixture(scope='module', autouse=True)
def _apart():
    """Keep runs and their files apart from others."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv('XDG_STATE_HOME', str(passing_folder('topics_state_')))
        yield


@cache
def started(name):
    """Return what a run starts."""
    file, given = RUNS[name]
    if not file:
        return Launched({node: [program, '--ros-args', *(
            word for one in parameters for word in ('-p', one))]
            for node, (program, *parameters) in OTHERS.items()})
    if file == 'replay':
        given = {**given, 'bag': str(bag_of_every_topic())}
    return launched(file, results=str(passing_folder('topics_')), **given)


@cache
def graph(name):
    """Return all Ends of a run, rviz's as well."""
    with running(started(name)) as ends:
        return [*ends, *(rviz_ends(RUNS[name][0]) if 'view' in RUNS[name][1] else ())]


def rviz_ends(file):
    """Yield Ends of the displays of a configuration of rviz, which need not be installed."""
    configuration = yaml.safe_load((RVIZ / f'{file}.rviz').read_text())
    for display in configuration['Visualization Manager']['Displays']:
        topic = display.get('Topic') or display.get('Description Topic')
        if topic:
            yield End('rviz2', topic['Value'], '', publishes=False, qos=QoSProfile(
                depth=topic['Depth'],
                reliability=ReliabilityPolicy.get_from_short_key(
                    topic['Reliability Policy'].lower().replace(' ', '_')),
                durability=DurabilityPolicy.get_from_short_key(
                    topic['Durability Policy'].lower().replace(' ', '_'))))


@cache
def bag_of_every_topic():
    """Return a bag with a message of all that the crane's readings and any truth are published on.
    """
    bag = Path(option(started('crane_payload').recorder, '--output')[0])
    types = {one.topic: one.type for name in RUNS if RUNS[name][0] not in ('', 'replay')
             for one in graph(name) if one.publishes and not one.topic.endswith(OF_ROS)
             and (name == 'crane_payload' or one.topic.startswith('/prototype/'))}
    writer = rosbag2_py.SequentialWriter()
    writer.open(rosbag2_py.StorageOptions(uri=str(bag), storage_id='mcap'),
                rosbag2_py.ConverterOptions('cdr', 'cdr'))
    for number, (topic, kind) in enumerate(types.items()):
        writer.create_topic(rosbag2_py.TopicMetadata(
            id=number, name=topic, type=kind, serialization_format='cdr'))
        writer.write(topic, serialize_message(get_message(kind)()), 1)
    del writer      # the bag is complete then
    return bag


@cache
def sensor_topics():
    """Return {topic: type of its messages} of the sensors of all mechanisms of all runs."""
    named = set().union({'four_bar'}, *(started(name).mechanisms for name in RUNS
                                        if name != 'replay'))
    return {topic: type_name(reading_type(one)) for mechanism in map(load_mechanism, named)
            for topic, one in by_topic(sensors_of(mechanism, list(mechanism.sensors))).items()}


def row_of(topic):
    """Return the only documented Row of a topic."""
    found = [row for row in documented_topics() if row.is_of(topic, sensor_topics())]
    assert len(found) == 1, f'{topic}: in {len(found)} rows of topics.md, must be in one'
    return found[0]


def short(qos):
    """Return the short name of a QoS on the page."""
    if qos.reliability == ReliabilityPolicy.BEST_EFFORT:
        return 'BE'
    return 'TL' if qos.durability == DurabilityPolicy.TRANSIENT_LOCAL else 'R'


def assert_fit(publisher, asked, reader):
    """Fail where a reader asks for more than a publisher offers."""
    compatibility, reason = qos_check_compatible(publisher.qos, asked)
    assert compatibility != QoSCompatibility.ERROR, (
        f'{publisher.topic}: {publisher.node} to {reader}: {reason}')


def test_every_launch_file_is_looked_at():
    assert {file for file, _ in RUNS.values() if file} == {*LAUNCH_FILES}


@pytest.mark.parametrize('name', RUNS)
def test_every_topic_has_one_kind_of_content(name):
    """Its publishers are the ones that the page has, where topics stand by their kind."""
    for end in graph(name):
        row = row_of(end.topic)
        known = {node for node, _ in row.ends(end.publishes)}
        assert {EVERY, end.node} & known, (
            f'{end.node} {"publishes" if end.publishes else "reads"} {end.topic}, which the page '
            f'has among {row.kind} with {sorted(known)}')
        if end.type:
            of_sensor = next((kind for topic, kind in sensor_topics().items()
                              if end.topic.endswith(f'/{topic}')), None)
            assert end.type == (row.type or of_sensor), end.topic


@pytest.mark.parametrize('name', RUNS)
def test_every_publisher_offers_what_every_subscription_asks_for(name):
    ends = graph(name)
    for reader in (end for end in ends if not end.publishes):
        for publisher in (end for end in ends if end.publishes and end.topic == reader.topic
                          and end.node not in OTHER_DRIVERS):
            assert_fit(publisher, reader.qos, reader.node)


@pytest.mark.parametrize('name', [name for name in RUNS if RUNS[name][0]])
def test_the_recorder_asks_for_no_more_than_is_offered(name):
    queues, = option(started(name).recorder, QUEUES)
    for topic, asked in yaml.safe_load(Path(queues).read_text()).items():
        qos = QoSProfile(
            depth=asked['depth'],
            reliability=ReliabilityPolicy.get_from_short_key(asked['reliability']),
            durability=DurabilityPolicy.get_from_short_key(asked['durability']))
        for end in graph(name):
            if end.publishes and end.topic == topic:
                assert_fit(end, qos, 'rosbag2_recorder')


def test_the_page_has_what_is_found_and_no_more():
    found = {}
    for name in RUNS:
        for end in graph(name):
            row = row_of(end.topic)
            named = {node for node, _ in row.ends(end.publishes)}
            found.setdefault((row.topic, end.publishes), set()).add(
                (EVERY if EVERY in named and end.node not in named else end.node, short(end.qos)))
    for row in documented_topics():
        for publishes in (True, False):
            expected = {one for one in row.ends(publishes)
                        if one[0] != 'web_view' or 'web_view' in OTHERS}
            assert found.get((row.topic, publishes), set()) == expected, (row.topic, publishes)


def test_the_page_has_the_nodes_of_every_launch_file():
    found = {}
    for name, (file, _) in RUNS.items():
        if file:
            one = started(name)
            found[file] = {*one.nodes, *([PLAYER] if one.player else []),
                           *(['rosbag2_recorder'] if one.recorder else [])} - LOOKERS
    assert documented_nodes() == found
