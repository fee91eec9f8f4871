"""Commands on bags with damaged messages, or on what is no bag: a whole result or none."""

import shutil

from hypothesis import given, settings, strategies as st
import numpy as np
import pytest
from recorded_four_bar import experiment, write_bag

from mb_estimators.commands import smooth, tune
from mb_estimators.nodes import estimate_bag
from mb_evaluation import compare
from mb_model import Run

SENSOR = ['--sensors', 'crank_encoder']
COMMANDS = {
    'compare': (compare.main, 'compared', [
        *SENSOR, '--set', 'model_errors.gravity=-1.0', '--estimators', 'error_ekf', '--output']),
    'estimate_bag': (estimate_bag.main, 'estimates', [*SENSOR, '--output']),
    'smooth': (smooth.main, 'smoothed', [*SENSOR, '--save']),
    'smooth to a file': (smooth.main, 'smoothed.npz', [*SENSOR, '--save']),
    'tune': (tune.main, 'tuned.yaml', [
        *SENSOR, '--vary', 'crank_encoder.sigma', '--trials', '6', '--force', '--processes', '1',
        '--output'])}


@pytest.fixture(scope='module')
def bag(tmp_path_factory):
    """A bag of readings and of the truth."""
    folder = tmp_path_factory.mktemp('whole') / 'bag'
    write_bag(experiment(0.5), folder, states=['/prototype/state'])
    return folder


@pytest.mark.parametrize('name', COMMANDS)
def test_damaged_messages_are_left_out(bag, damaged_copy, tmp_path, name, said):
    """The first, one in the middle, one of the right kind with impossible lengths."""
    main, output, arguments = COMMANDS[name]
    damaged = damaged_copy(bag, tmp_path / 'bag')
    assert main([str(damaged), *arguments, str(tmp_path / output)]) == 0
    assert '3 of 101 messages are damaged and left out' in said()
    assert {path.name for path in tmp_path.iterdir()} == {'bag', output}


@pytest.mark.parametrize('name', COMMANDS)
def test_messages_that_lack_are_an_error(bag, tmp_path, name, said):
    """Not damage: the command ends, as what it would find is not of the whole bag."""
    main, output, arguments = COMMANDS[name]
    shutil.copytree(bag, tmp_path / 'bag')
    metadata = tmp_path / 'bag/metadata.yaml'
    metadata.write_text(metadata.read_text().replace('message_count: 101', 'message_count: 108'))
    assert main([str(tmp_path / 'bag'), *arguments, str(tmp_path / output)]) == 2
    words = said()
    assert '101 messages, not 108' in words
    assert 'damaged' not in words
    assert {path.name for path in tmp_path.iterdir()} == {'bag'}


@pytest.mark.parametrize('name', ['smooth', 'tune'])
def test_a_wrong_stamp_does_not_stretch_time(bag, damaged_copy, tmp_path, name, said):
    """By 97 days, which would be filled with steps."""
    main, output, arguments = COMMANDS[name]

    def later(topic, place, content):
        content = bytearray(content)
        content[6] ^= 0x80 * (place == 50 and topic == '/crank_encoder')
        return content

    damaged = damaged_copy(bag, tmp_path / 'bag', later)
    assert main([str(damaged), *arguments, str(tmp_path / output)]) == 0
    assert '/crank_encoder: 1 of 101 messages are damaged' in said()


@pytest.mark.whole
@pytest.mark.fuzz
@settings(deadline=None, max_examples=20)
@given(st.data())
def test_any_damage_gives_whole_results_or_none(bag, damaged_copy, tmp_path_factory, data):
    """Whatever is in messages; nothing is raised, no half result is left."""
    name = data.draw(st.sampled_from(sorted(COMMANDS)))
    main, output, arguments = COMMANDS[name]
    place = st.tuples(st.sampled_from(['/prototype/state', '/crank_encoder']), st.integers(0, 100))
    others = data.draw(st.dictionaries(place, st.binary(max_size=300), max_size=9))
    flips = data.draw(st.dictionaries(place, st.integers(0, 5000), max_size=20))

    def change(topic, number, content):
        content = bytearray(others.get((topic, number), content))
        flip = flips.get((topic, number))
        if flip is not None and content:
            content[flip // 8 % len(content)] ^= 1 << flip % 8
        return content

    folder = tmp_path_factory.mktemp('damaged')
    damaged = damaged_copy(bag, folder / 'bag', change)
    code = main([str(damaged), *arguments, str(folder / output)])
    assert code in (0, 1, 2)
    assert {path.name for path in folder.iterdir()} <= {'bag', output}
    if (folder / output).exists() and name.startswith('smooth'):
        assert Run.load(folder / output) if output == 'smoothed' else np.load(folder / output)


@pytest.mark.parametrize('name', COMMANDS)
def test_what_is_no_bag_is_said_in_a_line(tmp_path, name, capsys):
    main, output, arguments = COMMANDS[name]
    (tmp_path / 'bag').mkdir()
    (tmp_path / 'bag/metadata.yaml').write_text('rosbag2_bagfile_information: [1, 2')
    (tmp_path / 'bag/bag_0.mcap').write_text('my notes')
    assert main([str(tmp_path / 'bag'), *arguments, str(tmp_path / output)]) == 2
    assert 'not a readable bag' in capsys.readouterr().err.splitlines()[-1]
    assert {path.name for path in tmp_path.iterdir()} == {'bag'}
