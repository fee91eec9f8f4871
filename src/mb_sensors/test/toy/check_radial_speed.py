"""What everything makes of a kind of sensor that one file has added."""


from derivatives import check_derivatives
from driver_bench import START, STEP, expected_readings
from geometry_msgs.msg import TwistStamped
from jsonschema import Draft202012Validator
from message_bags import write_messages
import numpy as np
import pytest
from radial_speed import KIND

from mb_model import load_mechanism, simulate
from mb_model.kind_api import schema_page
from mb_model.mechanism_file.schema import published_schema
from mb_sensors import SensorError, sensors_of
from mb_sensors.bag import open_bag
from mb_sensors.commands import kinds
from mb_sensors.kinds import channel_kinds, driven_by, sensor_kinds
from mb_sensors.measurement import what_is_read
from mb_sensors.nodes.sensor_driver import SensorDriver
from mb_sensors.readings import true_values
from mb_sensors.topics import by_topic

FILE = """\
extends: four_bar
name: four_bar
sensors:
  radar:
    {kind: radial_speed, points: [A, {body: coupler, at: [3, 0.4]}], scale: 4 / 2, sigma: 0.01}
"""


@pytest.fixture(scope='module')
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp('toy') / 'mechanism.yaml'
    path.write_text(FILE)
    return path


@pytest.fixture(scope='module')
def mechanism(file):
    return load_mechanism(str(file))


@pytest.fixture(scope='module')
def run(mechanism):
    return simulate(mechanism, 0.2, STEP / 1e9)


@pytest.fixture
def radar(mechanism):
    sensor, = sensors_of(mechanism, 'radar')
    return sensor


def test_the_registry_has_it_after_the_kinds_of_the_folder():
    assert sensor_kinds()['radial_speed'] is KIND
    assert max(channel_kinds()) == channel_kinds().RADIAL_SPEED
    assert 'radial_speed' in driven_by('sensor_driver')


def test_schema_and_pages_describe_it(capsys):
    validator = Draft202012Validator(published_schema())
    whole = {'name': 'm', 'points': {}, 'bodies': {}}
    radar = {'kind': 'radial_speed', 'points': ['A', {'body': 'b', 'at': 'P'}], 'sigma': '1 / 2'}
    assert validator.is_valid({**whole, 'sensors': {'radar': radar}})
    for wrong in ({'points': ['A']}, {'of': 'A'}, {'scale': []}, {'kind': 'radial'}):
        assert not validator.is_valid({**whole, 'sensors': {'radar': {**radar, **wrong}}})
    page = schema_page()
    assert '### kind: radial_speed' in page
    assert KIND.keys['scale']['description'] in page
    assert kinds.main(['--markdown']) == 0
    listed = capsys.readouterr().out
    row = '| `radial_speed` | How fast two places part | m/s | `points`, [`scale`] | not there |'
    assert row in listed
    assert '## radial_speed' in listed


def test_a_mechanism_file_names_it(mechanism, radar):
    assert (radar.kind, radar.unit, radar.channels) == ('radial_speed', 'm/s', ('radar',))
    for wrong, text in (({'points': ['A', 'Q']}, r"points\[1\]: 'Q' must be one of"),
                        ({'points': []}, 'must be a list of two'),
                        ({'rangee': 3.0}, 'rangee: unknown setting'),
                        ({'scale': 'fast'}, 'scale: ')):
        entry = {**mechanism.sensors['radar'], **wrong}
        with pytest.raises(SensorError, match=text):
            sensors_of(mechanism.replace(sensors={'radar': entry}), 'radar')


def test_it_measures_how_a_distance_changes(mechanism, radar, run):
    entry = {**mechanism.sensors['radar'], 'kind': 'distance'}
    del entry['scale']
    wire, = sensors_of(mechanism.replace(sensors={'wire': entry}), 'wire')
    states = run.q, run.qd, run.qdd
    length, speed = (true_values(mechanism, one, *states)[:, 0] for one in (wire, radar))
    np.testing.assert_allclose(speed[2:-2], 2.0 * np.gradient(length, run.t)[2:-2], atol=2e-3)
    assert np.ptp(speed) > 0.2


def test_its_derivatives_are_central_differences(mechanism, radar):
    random = np.random.default_rng(3)
    state = [random.normal(size=int(mechanism.model['n_total'][0])) for _ in range(3)]
    check_derivatives(radar.records, state, 1e-7, 1e-6)
    assert what_is_read(radar.records, np.zeros(1)) == (True, False)


def test_a_driver_publishes_it_and_a_bag_gives_it_back(file, mechanism, radar, run, tmp_path,
                                                       driver_bench):
    """Simulated from states, with the noise of an offline run."""
    bench = driver_bench(SensorDriver, [f'mechanism:={file}', 'seed:=3'],
                         [(TwistStamped, '/radar')])
    stamps = [START + k * STEP for k in range(len(run.t))]
    bench.send(stamps, run)
    bench.spin_until(len(stamps))
    received = bench.received
    readings = expected_readings('radar', 3, mechanism, run)
    topic = by_topic([radar])['radar']
    assert [topic.readings(message) for message in received] == [
        [('radar', values.tolist())] for values in readings]

    write_messages(tmp_path / 'bag', [('/radar', message) for message in received])
    with open_bag(tmp_path / 'bag') as bag:
        found, values = bag.readings([radar])
    assert found.tolist() == stamps
    np.testing.assert_array_equal(values, readings)
