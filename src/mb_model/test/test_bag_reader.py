"""Bags: damaged messages are left out and counted, all else is one BagError; outputs are whole."""

from pathlib import Path
import shutil
import signal
import subprocess
import sys
import tempfile

from hypothesis import given, settings, strategies as st
import numpy as np
import pytest
from rosbags.serde import SerdeError

from mb_model import Run, load_mechanism, simulate
from mb_model.bags import BagError, new_bag, open_reader
from mb_model.bags.messages import STATE_TYPE, deserialized, message_types, tidied
from mb_model.files.whole import whole_file, whole_folder, write_whole

TOPIC = '/model_simulation/state'
DAMAGES = [b'', b'\0', b'\0\1\0\0', b'\0\1\0\0' + b'\xff' * 40, b'\xff' * 300, bytes(300)]


@pytest.fixture(scope='module')
def run():
    """A short run of a crank that falls."""
    return simulate(load_mechanism('four_bar'), 0.05, 1e-3)


@pytest.fixture(scope='module')
def bags(run, tmp_path_factory):
    """Folders of the bag of the run, by storage."""
    folder = tmp_path_factory.mktemp('bags')
    for storage in ('mcap', 'sqlite3'):
        run.save(folder / storage, storage=storage)
    return {storage: folder / storage for storage in ('mcap', 'sqlite3')}


@pytest.mark.parametrize('at', [0, 25, 50])
@pytest.mark.parametrize('data', DAMAGES)
def test_one_damaged_message_is_left_out(bags, run, damaged_copy, tmp_path, said, data, at):
    """Also the first and the last one; it is counted."""
    folder = damaged_copy(bags['mcap'], tmp_path / 'bag', lambda topic, place, whole: (
        data if (topic, place) == (TOPIC, at) else whole))
    loaded = Run.load(folder)
    assert loaded.z.tobytes() == np.delete(run.z, at, axis=0).tobytes()
    assert f'{TOPIC}: 1 of 51 messages are damaged and left out' in said()


def or_words(act):
    """Return (what a function returns or None, the words of its ValueError or none)."""
    try:
        return act(), ''
    except ValueError as error:
        return None, str(error)


def states(folder):
    """Return the states of a bag that are like most of them."""
    with open_reader(folder, report=lambda line: None) as bag:
        return bag.alike(TOPIC, lambda state: (state.mechanism, len(state.z), len(state.q)))


@pytest.mark.whole
@given(st.data())
@settings(deadline=None)
@pytest.mark.fuzz
def test_any_bytes_are_a_message_or_left_out(bags, tmp_path_factory, damaged_copy, data):
    """Whatever stands in messages: a run or one line, and no message twice."""
    at = data.draw(st.dictionaries(st.integers(0, 50), st.binary(max_size=400), max_size=20))
    flips = data.draw(st.dictionaries(st.integers(0, 50), st.floats(0.0, 1.0, exclude_max=True)))

    def change(topic, place, whole):
        if topic != TOPIC:
            return whole
        if place in flips:
            whole = bytearray(whole)
            whole[int(flips[place] * len(whole))] ^= 1 << place % 8
        return at.get(place, whole)

    folder = tmp_path_factory.mktemp('damaged') / 'bag'
    damaged_copy(bags['mcap'], folder, change)
    found, words = or_words(lambda: states(folder))
    assert '\n' not in words
    damaged = len({*at, *flips})
    if damaged <= 25:
        assert 51 - damaged <= len(found) <= 51


def counted(folder):
    """Return how many messages of each topic of a bag can be read."""
    with open_reader(folder, report=lambda line: None) as bag:
        return [len(list(bag.messages([topic]))) for topic in bag.topics] or [0]


def edited(source, target, change):
    """Copy a bag whose metadata.yaml is changed: change(its text) -> text."""
    shutil.copytree(source, target)
    path = target / 'metadata.yaml'
    path.write_text(change(path.read_text()))
    return target


@pytest.mark.parametrize('storage', ['mcap', 'sqlite3'])
def test_edited_qos_hides_no_message(bags, run, tmp_path, said, storage):
    """As users edit it, to replay with another."""
    folder = edited(bags[storage], tmp_path / 'bag', lambda text: text.replace(
        'depth: 1000', 'depth: 10').replace('reliability: reliable', 'reliability: best_effort'))
    assert Run.load(folder).z.tobytes() == run.z.tobytes()
    assert 'damaged' not in said()


@pytest.mark.parametrize('stated', [50, 52])
@pytest.mark.parametrize('storage', ['mcap', 'sqlite3'])
def test_messages_that_are_not_as_many_as_stated_are_an_error(bags, tmp_path, said, storage,
                                                              stated):
    """Not damaged messages: nothing says which others are right."""
    folder = edited(bags[storage], tmp_path / 'bag',
                    lambda text: text.replace('message_count: 51', f'message_count: {stated}'))
    with pytest.raises(BagError, match=f'{TOPIC}.*: 51 messages, not {stated}.*`ros2 bag reindex`'):
        Run.load(folder)
    assert 'damaged' not in said()


def test_messages_of_another_definition_are_an_error(bags, damaged_copy, tmp_path, said):
    """All of a topic: they were not damaged but are of another type."""
    folder = damaged_copy(bags['mcap'], tmp_path / 'bag', lambda topic, place, whole: (
        whole if topic != TOPIC else b'\0\1\0\0' + b'\7\0\0\0abcdefg'))
    with pytest.raises(BagError, match=f'{TOPIC}: none of its 51 messages is a mb_interfaces/msg'):
        Run.load(folder)
    assert 'damaged' not in said()


@pytest.mark.parametrize('more', [-1, 1])
def test_what_a_reader_finds_is_counted(bags, more):
    """Also where rosbag2 opens a bag that has not what it states."""
    with open_reader(bags['mcap']) as bag:
        bag._counts[TOPIC] += more
        with pytest.raises(BagError, match=f'{TOPIC}: 51 messages, not {51 + more}'):
            list(bag.of(TOPIC))


@pytest.mark.whole
@given(st.data())
@settings(deadline=None)
@pytest.mark.fuzz
def test_any_file_is_read_or_one_error(bags, data):
    """Bytes of any file of a bag are cut off, overwritten, inserted."""
    source = bags[data.draw(st.sampled_from(sorted(bags)))]
    name = data.draw(st.sampled_from(sorted(path.name for path in source.iterdir())))
    place = Path(tempfile.mkdtemp(prefix='bag_'))
    try:
        shutil.copytree(source, place / 'bag')
        content = (place / 'bag' / name).read_bytes()
        at = int(data.draw(st.floats(0.0, 1.0)) * len(content))
        new = data.draw(st.binary(max_size=20))
        behind = data.draw(st.sampled_from([at, at + len(new), len(content)]))
        (place / 'bag' / name).write_bytes(content[:at] + new + content[behind:])
        counts, words = or_words(lambda: counted(place / 'bag'))
        assert counts or words.startswith(f'{place / "bag"}: ')
        assert max(counts or [0]) <= 51
        assert '\n' not in words
    finally:
        shutil.rmtree(place)


@pytest.mark.parametrize('content', [None, 'my notes', 'rosbag2_bagfile_information: {version: x}'])
def test_what_is_no_bag_is_said_in_a_line(tmp_path, content):
    """An empty folder, notes, half of the metadata."""
    (tmp_path / 'bag').mkdir()
    if content:
        (tmp_path / 'bag/metadata.yaml').write_text(content)
    with pytest.raises(BagError, match='not a readable bag') as caught:
        Run.load(tmp_path / 'bag')
    assert '\n' not in str(caught.value)


@pytest.mark.parametrize('storage', ['mcap', 'sqlite3'])
def test_a_bag_appears_as_a_whole_or_not_at_all(tmp_path, storage):
    """Its folder is empty while it is written; what is there already is refused."""
    def fail():
        with new_bag(tmp_path / 'bag', storage):
            assert not (tmp_path / 'bag').exists()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert list(tmp_path.iterdir()) == []
    with new_bag(tmp_path / 'bag', storage):
        pass
    assert [path.name for path in tmp_path.iterdir()] == ['bag']
    with pytest.raises(FileExistsError), new_bag(tmp_path / 'bag', storage):
        pass


def test_a_file_appears_as_a_whole_or_not_at_all(tmp_path):
    """What was there before stays where writing fails."""
    write_whole(tmp_path / 'a.txt', 'old')

    def fail():
        with whole_file(tmp_path / 'a.txt') as part, whole_folder(tmp_path / 'b') as folder:
            part.write_text('half')
            folder.mkdir()
            raise OSError('full')

    with pytest.raises(OSError, match='full'):
        fail()
    assert [path.name for path in tmp_path.iterdir()] == ['a.txt']
    assert (tmp_path / 'a.txt').read_text() == 'old'


PROGRAM = """
import argparse, sys, time
from mb_model.bags import new_bag
from mb_model.commands.exits import run_command

def command(given):
    with new_bag(given.bag):
        yield 'begun'
        time.sleep(60)

parser = argparse.ArgumentParser()
parser.add_argument('bag')
sys.exit(run_command(command, parser, None))
"""


@pytest.mark.parametrize('number', [signal.SIGTERM, signal.SIGINT])
def test_a_signal_leaves_no_half_bag(tmp_path, number):
    process = subprocess.Popen([sys.executable, '-c', PROGRAM, str(tmp_path / 'bag')], text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                               # in the background, as in CI, a shell has it ignored
                               preexec_fn=lambda: signal.signal(
                                   signal.SIGINT, signal.default_int_handler))
    assert process.stdout.readline() == 'begun\n'
    process.send_signal(number)
    assert process.wait(30) == 128 + number
    process.stdout.close()
    assert list(tmp_path.iterdir()) == []


TYPES = message_types('EstimatorStatus', 'SensorConsistency', 'ParameterEstimate')
KINDS = STATE_TYPE, 'sensor_msgs/msg/JointState', 'sensor_msgs/msg/Imu'
TEXTS = st.lists(st.text(max_size=5), max_size=3)
NUMBERS = st.lists(st.floats(allow_nan=False), max_size=4).map(np.array)


@st.composite
def messages(draw):
    """(type, message) with fields of any length."""
    kind = draw(st.sampled_from(KINDS))
    of = TYPES.types
    stamp = of['builtin_interfaces/msg/Time'](draw(st.integers(0, 100)), draw(st.integers(0, 100)))
    header = of['std_msgs/msg/Header'](stamp, draw(st.text(max_size=9)))
    if kind == 'sensor_msgs/msg/Imu':
        vector = of['geometry_msgs/msg/Vector3'](1.0, 2.0, 3.0)
        return kind, of[kind](
            header, of['geometry_msgs/msg/Quaternion'](0.0, 0.0, 0.0, 1.0), np.zeros(9), vector,
            np.ones(9), vector, np.zeros(9))
    if kind == STATE_TYPE:
        return kind, of[kind](header, draw(st.text(max_size=5)), draw(TEXTS), draw(TEXTS),
                              *(draw(NUMBERS).astype(float) for _ in range(9)))
    return kind, of[kind](header, draw(TEXTS), *(draw(NUMBERS).astype(float) for _ in range(3)))


@given(one=messages(), rest=st.binary(max_size=12))
def test_what_is_behind_a_message_is_left_out(one, rest):
    kind, message = one
    data = bytes(TYPES.serialize_cdr(message, kind))
    found = deserialized(TYPES, data + rest, kind)
    assert bytes(TYPES.serialize_cdr(found, kind)) == data
    assert tidied(TYPES, data + rest, kind) == data


@given(one=messages())
def test_a_message_with_far_more_behind_it_is_damaged(one):
    kind, message = one
    with pytest.raises(SerdeError):
        deserialized(TYPES, bytes(TYPES.serialize_cdr(message, kind)) + bytes(1000), kind)


@pytest.mark.parametrize('little_endian', [True, False])
def test_text_that_is_no_utf8_loses_no_message(little_endian):
    """Nodes read such a message; estimates from a bag of it would differ from the live ones."""
    kind = 'sensor_msgs/msg/JointState'
    of, position = TYPES.types, np.array([0.5, -3.0])
    header = of['std_msgs/msg/Header'](of['builtin_interfaces/msg/Time'](1, 2), 'crank')
    message = of[kind](header, ['one', 'two'], position, np.zeros(0), np.zeros(0))
    data = bytes(TYPES.serialize_cdr(message, kind, little_endian=little_endian))
    read = deserialized(
        TYPES, data.replace(b'crank', b'c\xd0\xffnk').replace(b'two', b'\xfewo'), kind)
    assert (read.header.frame_id, read.name) == ('c??nk', ['one', '?wo'])
    assert read.position.tolist() == position.tolist()
