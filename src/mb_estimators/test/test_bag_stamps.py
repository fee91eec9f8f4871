"""Bags of drivers whose stamps no clock shows: refused in words, repaired, or by the arrival."""

import math

from message_bags import write_messages
import numpy as np
import pytest
from sensor_msgs.msg import JointState

from mb_estimators.nodes import estimate_bag
from mb_model.file_api import BagError, open_reader
from mb_sensors import open_bag

START, STEP, COUNT, LATE = 1_800_000_123_400_000_000, 20_000_000, 600, 1_000_000
SECOND, WORD = 10 ** 9, 2 ** 32


def angle(k):
    return 0.1 * math.sin(0.02 * k)


def times():
    return [START + STEP * k for k in range(COUNT)]


def good(k, time):
    return divmod(time, SECOND)


def wrapped(k, time):
    return time // SECOND, time % WORD


def stuck(k, time):
    return START // SECOND, time % SECOND


def senseless(k, time):
    return time // SECOND, SECOND + k * 7919 % SECOND


def sometimes_damaged(k, time):
    sec, nanosec = divmod(time, SECOND)
    return sec, nanosec | (1 << 31 if k % 50 == 49 else 0)


@pytest.fixture
def bag(tmp_path):
    """Return a function that writes a bag whose driver makes stamps by parts(k, time [ns])."""
    def write(parts):
        folder = tmp_path / 'run' / 'bag'
        folder.parent.mkdir()
        return write_messages(folder, messages(parts), 'sqlite3')

    def messages(parts):
        for k, time in enumerate(times()):
            message = JointState(name=['encoder'], position=[angle(k)])
            message.header.stamp.sec, message.header.stamp.nanosec = parts(k, time)
            yield '/encoder', message, time + LATE

    return write


def estimate(folder, capfd, *more):
    """Return (exit code, text, {stamp: z}) of an estimation."""
    output = folder.parent / 'estimates'
    code = estimate_bag.main([str(folder), '--mechanism', 'pendulum', '--sensors', 'encoder',
                              '--estimator', 'kinematic_kf', '--output', str(output), *more])
    printed = capfd.readouterr()
    found = {}
    if output.exists():
        with open_bag(output) as opened:
            found = {stamp: state.z[0] for stamp, state in opened.of('/estimator/state')}
    return code, printed.out + printed.err, found


@pytest.mark.parametrize(('parts', 'words'), [
    (wrapped, 'nanosec begins anew at 2^32'), (stuck, 'sec does not advance'),
    (senseless, 'nanosec is 1e9 or more')])
def test_a_bag_with_such_stamps_is_refused_with_what_mends_it(bag, capfd, parts, words):
    folder = bag(parts)
    code, said, _ = estimate(folder, capfd)
    assert code == 2
    assert f'{folder}: /encoder: its stamps are malformed: {words}' in said
    assert 'stamps: arrival' in said
    assert ('stamps: repair' in said) == (parts is not senseless)
    with pytest.raises(BagError, match='stamps are malformed'), open_reader(folder) as reader:
        list(reader.of('/encoder'))


@pytest.mark.parametrize('parts', [wrapped, stuck])
@pytest.mark.parametrize('policy', ['repair', 'arrival'])
def test_repaired_stamps_give_the_motion(bag, capfd, parts, policy):
    code, said, found = estimate(bag(parts), capfd, '--set', f'stamps={policy}')
    assert code == 0
    assert f'{COUNT} were re' in said
    assert 'rejected 0, late 0' in said
    late = LATE if policy == 'arrival' else 0
    np.testing.assert_allclose(np.array(sorted(found)) - times(), late, atol=1000)
    z = np.array([found[stamp] for stamp in sorted(found)])
    np.testing.assert_allclose(z[50:], [angle(k) for k in range(50, COUNT)], atol=0.01)


def test_the_file_beside_the_bag_says_so_for_every_command(bag):
    folder = bag(wrapped)
    (folder.parent / 'parameters.yaml').write_text(
        'estimator: {ros__parameters: {stamps: repair}}\n')
    said = []
    with open_reader(folder, report=said.append) as reader:
        assert [stamp for stamp, _ in reader.of('/encoder')] == times()
    assert said == [f'{folder}: /encoder: stamps: nanosec begins anew at 2^32, not at 1e9: '
                    f'{COUNT} were repaired']


def test_damaged_stamps_among_good_ones_are_left_out_and_counted(bag):
    said = []
    with open_reader(bag(sometimes_damaged), report=said.append) as reader:
        stamps = [stamp for stamp, _ in reader.of('/encoder')]
    assert stamps == [time for k, time in enumerate(times()) if k % 50 != 49]
    assert len(said) == 1
    assert f'12 of {COUNT} messages are damaged' in said[0]


def test_good_stamps_are_read_as_they_are(bag):
    said = []
    with open_reader(bag(good), report=said.append) as reader:
        assert [stamp for stamp, _ in reader.of('/encoder')] == times()
    assert not said
