"""Layouts of PlotJuggler and Foxglove: every curve is of a topic and a field that there are."""

import json
from pathlib import Path
import re
from xml.etree import ElementTree

from ament_index_python.packages import get_package_share_directory
import pytest
from sensor_msgs.msg import JointState

from mb_bringup.onlookers import STREAMS
from mb_interfaces.msg import (
    ContactEstimate,
    EstimatorStatus,
    ExternalForce,
    HydraulicState,
    MechanismState,
    PayloadEstimate,
)
from mb_model import load_mechanism
from mb_sensors import by_topic, sensors_of
from mb_sensors.command_api import reading_type

LAYOUTS = Path(get_package_share_directory('mb_bringup')) / 'layouts'
MECHANISMS = {'three_simulation': 'four_bar', 'crane_payload': 'crane',
              'parallel_robot_contact': 'three_rrr'}
TYPES = {
    '/prototype/state': MechanismState, '/model_simulation/state': MechanismState,
    '/estimator/status': EstimatorStatus, '/estimator/joint_states': JointState,
    '/estimator/hydraulics': HydraulicState, '/payload_estimator/payload': PayloadEstimate,
    '/contact_detector/contact': ContactEstimate}
NESTED = {'mb_interfaces/ExternalForce': ExternalForce}


def curves_of_plotjuggler(name):
    """Yield (title of the plot, key) of all curves."""
    root = ElementTree.parse(LAYOUTS / f'{name}.plotjuggler.xml').getroot()
    for area in root.iter('DockArea'):
        for curve in area.iter('curve'):
            yield area.get('name'), curve.get('name')


def curves_of_foxglove(name):
    """Yield (label, key) of all curves."""
    for panel in json.loads((LAYOUTS / f'{name}.foxglove.json').read_text())['configById'].values():
        for path in panel['paths']:
            yield path['label'], path['value']


def split(key, types):
    """Return (topic, the rest) of a key."""
    topic = max((one for one in types if re.match(rf'{re.escape(one)}[/.]', key)), key=len,
                default=None)
    assert topic, f'{key}: no such topic'
    return topic, key[len(topic) + 1:]


def check_field(kind, path):
    """Fail unless a message type has a field, nested in lists or not, that is a number."""
    first, _, rest = path.replace('/', '.').partition('.')
    name, _, index = first.partition('[')
    fields = kind.get_fields_and_field_types()
    assert name in fields, f'{kind.__name__}: {path}'
    assert bool(index) == fields[name].startswith('sequence'), f'{kind.__name__}: {path}'
    item = re.sub(r'sequence<(.*?)>', r'\1', fields[name])
    if rest:
        check_field(NESTED[item], rest)
    else:
        assert item in ('double', 'boolean'), f'{kind.__name__}: {path}'


def types_of(mechanism):
    """Return the types of all topics of a run of a mechanism."""
    readings = {f'/{name}': reading_type(topic) for name, topic in by_topic(
        sensors_of(mechanism, list(mechanism.sensors))).items()}
    return TYPES | readings


@pytest.mark.parametrize('name', MECHANISMS)
def test_every_curve_is_of_a_field_that_there_is(name):
    mechanism = load_mechanism(MECHANISMS[name])
    types = types_of(mechanism)
    assert set(TYPES) <= set(STREAMS) | {'/estimator/joint_states'}
    for _, key in curves_of_plotjuggler(name):
        topic, rest = split(key, types)
        if types[topic] is JointState:      # by the name of the coordinate there
            coordinate, _, rest = rest.rpartition('/')
            assert coordinate in mechanism.coordinates, key
            assert rest in ('position', 'velocity'), key
        else:
            check_field(types[topic], rest)
    for _, key in curves_of_foxglove(name):
        topic, rest = split(key, types)
        check_field(types[topic], rest)


@pytest.mark.parametrize('name', MECHANISMS)
def test_places_in_lists_have_the_names_of_what_is_there(name):
    """In a label, or the title of the plot."""
    mechanism = load_mechanism(MECHANISMS[name])
    circuit = mechanism.circuit
    names = {'z': mechanism.independent, 'zd': mechanism.independent,
             'position': mechanism.coordinates, 'velocity': mechanism.coordinates,
             'force': mechanism.independent, 'pressure': circuit.volumes if circuit else (),
             'mass': ('load',), 'raw_mass': ('load',)}
    for label, key in curves_of_foxglove(name):
        if place := re.search(r'(\w+)\[(\d+)\]$', key):
            assert label.partition(':')[0] == names[place[1]][int(place[2])], key
    for title, key in curves_of_plotjuggler(name):
        place = re.search(r'(z|zd|mass|raw_mass)\[(\d+)\]$', key)
        if place:
            assert re.match(rf'{names[place[1]][int(place[2])]}\b', title), (title, key)
