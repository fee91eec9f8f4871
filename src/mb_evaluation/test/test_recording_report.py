"""The report of a bag without a truth: what it says, and what it says of bags that give none."""

import csv
import json
from pathlib import Path
import shlex
import shutil
import sys

from hypothesis import given, settings, strategies as st
from message_bags import write_messages
import numpy as np
import pytest
from recorded_four_bar import experiment, write_bag
from sensor_msgs.msg import FluidPressure
from std_msgs.msg import String

from mb_estimators import Experiment
from mb_estimators.nodes import estimate_bag
from mb_evaluation import compare, verdict
from mb_evaluation.nodes import report
from mb_evaluation.panels.matplotlib_backend import label_across, new_figure
from mb_evaluation.panels.panel import Panel
from mb_evaluation.recordings.contents import ORIGIN
from mb_interfaces.msg import ValveCommand
from mb_model import load_mechanism, simulate_hydraulics
from mb_ros.stamps import stamp
from mb_ros.states import joint_state, mechanism_state

OURS = ['--mechanism', 'four_bar', '--sensors', 'crank_encoder']
RIGHT = [*OURS, '--estimator', 'error_ekf']
DURATION = 4.0
MADE = experiment(DURATION)


@pytest.fixture(scope='module')
def bag(tmp_path_factory):
    """A bag of readings alone, in a folder whose path has a space."""
    folder = tmp_path_factory.mktemp('of a machine') / 'my bag'
    write_bag(MADE, folder)
    return folder


def figures_in(folder):
    return json.loads((folder / 'report.json').read_text())


def table_in(path):
    with path.open() as file:
        first, *rows = csv.reader(file)
    return {name: np.array([float(cell or 'nan') for cell in column])
            for name, column in zip(first, zip(*rows, strict=True), strict=True)}


def verdict_of(folder):
    with pytest.raises(SystemExit) as ended:
        verdict.main([str(folder)])
    return ended.value.code


def test_readings_alone_get_an_estimate_with_intervals_that_hold_the_truth(bag, tmp_path, capsys):
    folder = tmp_path / 'report'
    assert report.main([str(bag), *RIGHT, '--output', str(folder)]) == 0
    shown = capsys.readouterr().out
    assert 'PASSED: innovations' in shown
    assert 'not there: unknown forces: error_ekf gives none' in shown
    assert verdict_of(folder) == 0
    assert {path.name for path in folder.iterdir()} == {
        'report.json', 'report.md', 'report.png', 'report.html', 'estimates.csv',
        'estimates.parquet', 'innovations.csv', 'innovations.parquet'}
    estimates = table_in(folder / 'estimates.csv')
    stored = pytest.importorskip('pyarrow.parquet').read_table(folder / 'estimates.parquet')
    assert stored.column_names == list(estimates)
    for name, column in estimates.items():
        np.testing.assert_array_equal(stored[name].to_numpy(), column)
    low, high = (estimates[f'theta position [rad] {end}'] for end in ('from', 'to'))
    late = estimates['time [s]'] > 2.0
    truth = np.interp(estimates['stamp [ns]'], MADE.stamps, MADE.truth.z[:, 0])
    assert ((low <= truth) & (truth <= high))[late].mean() > 0.9
    innovations = table_in(folder / 'innovations.csv')
    expected = innovations['crank_encoder innovation [rad] to'] / 1.96
    np.testing.assert_allclose(
        (innovations['crank_encoder innovation [rad]'] / expected) ** 2,
        innovations['all channels NIS'], rtol=1e-3)


def test_a_filter_that_claims_too_much_gets_commands_that_mend_it(bag, tmp_path, capsys):
    folder = tmp_path / 'of the wrong model'
    assert report.main([str(bag), *OURS, '--set', 'model_errors.gravity=3.0', '--set',
                        'filter.acceleration_psd=1e-6', '--output', str(folder)]) == 0
    shown = capsys.readouterr().out
    assert 'FAILED: ' in shown
    assert 'crank_encoder: innovations are ' in shown
    assert verdict_of(folder) == 1
    commands = dict(figures_in(folder)['remedies'])
    assert list(commands) == ['tune', 'look again', 'launch', 'estimate unknown forces']
    for what, command in commands.items():
        assert f'{what}: {command}\n' in shown
        assert str(bag) in command.replace("'", '')
    assert shlex.split(commands['tune'])[:5] == ['ros2', 'run', 'mb_estimators', 'tune', str(bag)]
    forces = shlex.split(commands['estimate unknown forces'])
    assert report.main([*forces[4:-1], str(tmp_path / 'forces')]) == 0
    assert 'unknown torque at theta [N m]' in table_in(tmp_path / 'forces/estimates.csv')


def test_an_unknown_force_that_is_a_parameter_of_the_filter_is_shown_once(bag, tmp_path):
    """As the filter makes it, and as its messages have it."""
    assert estimate_bag.main([str(bag), *OURS, '--estimator', 'adekf', '--output',
                              str(tmp_path / 'again')]) == 0
    for name, options in {'made': [bag, *OURS, '--estimator', 'adekf'],
                          'recorded': [tmp_path / 'again']}.items():
        assert report.main([*map(str, options), '--output', str(tmp_path / name)]) == 0
        labels = [one['label'] for one in figures_in(tmp_path / name)['quantities']]
        assert labels == [
            'theta position [rad]', 'theta velocity [rad/s]', 'theta acceleration [rad/s²]',
            'unknown torque at theta [N m]']
        assert set(labels) < set(table_in(tmp_path / name / 'estimates.csv'))


def test_an_estimated_parameter_of_the_model_is_shown(bag, tmp_path):
    assert report.main([str(bag), *OURS, '--estimator', 'augmented_ekf', '--output',
                        str(tmp_path / 'of gravity')]) == 0
    assert 'gravity.y parameter' in table_in(tmp_path / 'of gravity/estimates.csv')


def test_estimates_in_a_bag_are_taken_as_they_are(bag, tmp_path, capsys):
    """By messages as by the filter that made them; of states alone nothing is judged."""
    assert estimate_bag.main([str(bag), *RIGHT, '--output', str(tmp_path / 'again')]) == 0
    assert report.main([str(tmp_path / 'again')]) == 0
    assert report.main([str(bag), *RIGHT, '--output', str(tmp_path / 'new')]) == 0
    recorded, made = (table_in(tmp_path / name / 'estimates.csv')
                      for name in ('again_report', 'new'))
    assert list(recorded) == list(made)
    for name, column in made.items():
        np.testing.assert_allclose(recorded[name], column, rtol=1e-12, err_msg=name)
    one, other = (figures_in(tmp_path / name) for name in ('again_report', 'new'))
    assert one['consistency']['crank_encoder'] == pytest.approx(other['consistency'][
        'crank_encoder'])
    assert one['source'] == 'recorded on /estimator/state'
    states = tmp_path / 'states'
    write_bag(MADE, states, encoder='/other', states=['/smoother/state'])
    capsys.readouterr()
    assert report.main([str(states)]) == 0
    assert 'NOT JUDGED: ' in capsys.readouterr().out
    assert verdict_of(tmp_path / 'states_report') == 2


def test_without_pyarrow_it_says_so(bag, tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, 'pyarrow', None)
    assert report.main([str(bag), *RIGHT, '--output', str(tmp_path / 'new')]) == 0
    assert 'pip install pyarrow' in ' '.join(capsys.readouterr().out.split())
    assert not list((tmp_path / 'new').glob('*.parquet'))


def test_the_commands_of_the_page_work(bag, tmp_path, monkeypatch):
    """Those on a bag of one's own; what it says of its estimates is in their file."""
    root = Path(__file__).parents[3]
    page = (root / 'docs/how_to/report_of_a_recording.md').read_text()
    monkeypatch.chdir(tmp_path)
    shutil.copytree(bag, 'my_bag')
    shutil.copy(root / 'src/mb_model/mb_model/mechanisms/four_bar.yaml', 'my.yaml')
    start = 'ros2 run mb_evaluation report '
    lines = [line.strip().removeprefix(start) for line in page.splitlines()
             if line.startswith(f'    {start}my_bag')]
    assert len(lines) == 3
    for line in lines:
        assert report.main(shlex.split(line)) == 0
    exec('\n'.join(line[4:] for line in page.splitlines()
                   if line.startswith(('    import pandas', '    estimates', '    print'))), {})


def encoders(*names, stamp=None):
    """Return messages of encoders, by topic."""
    return [(f'/{name}', joint_state(k * 10 ** 7 if stamp is None else stamp,
                                     [name.rpartition('/')[2]], [1.0]), k * 10 ** 7)
            for k in range(1, 9) for name in names]


def states(*nodes):
    mechanism = load_mechanism('four_bar')
    return [(f'/{node}/state', mechanism_state(mechanism, k * 10 ** 7, z=[1.0], zd=[0.0],
                                               zdd=[0.0])) for k in range(1, 9) for node in nodes]


@pytest.mark.parametrize('readings', [
    encoders('crank_encoder'),
    [*encoders('crank_encoder'), ('/crank_encoder', joint_state(10 ** 15, ['crank_encoder'], [1.0]),
                                  9 * 10 ** 7)]], ids=['sound', 'with a damaged stamp'])
def test_all_times_count_from_the_first_stamp_in_the_bag(readings, tmp_path):
    """Of an estimate that begins later, of a new one, and of a comparison."""
    bag = tmp_path / 'late'
    write_messages(bag, [*readings, *states('estimator')[4:]])
    assert report.main([str(bag), '--mechanism', 'four_bar']) == 0
    assert report.main([str(bag), *RIGHT, '--output', str(tmp_path / 'new')]) == 0
    assert compare.main([str(bag), *OURS, '--estimators', 'error_ekf', '--processes', '1']) == 0
    for name, times in {'late_report': [0.04, 0.05, 0.06, 0.07],
                        'new': np.arange(8) / 100.0}.items():
        figures = figures_in(tmp_path / name)
        assert figures['origin'] == 10 ** 7
        assert figures['duration'] == pytest.approx(0.07)
        np.testing.assert_allclose(table_in(tmp_path / name / 'estimates.csv')['time [s]'], times,
                                   atol=1e-12)
    compared = tmp_path / 'comparison'
    assert json.loads((compared / 'comparison.json').read_text())['origin'] == 10 ** 7
    for page in (tmp_path / 'late_report/report.md', compared / 'comparison.md'):
        assert 'times count from the first stamp in the bag, 0.010000000 s' in page.read_text()


def test_what_the_times_count_from_is_written_below_their_axis():
    axes = new_figure(4.0, 3.0).subplots()
    label_across(axes, Panel('', '', (), since=ORIGIN))
    assert axes.get_xlabel() == 'time since the first stamp in the bag [s]'


@pytest.mark.parametrize(('messages', 'options', 'words'), [
    ([('/chatter', String(data='hello'), 10 ** 9)], OURS[:2],
     'no readings of four_bar in the bag: expected crank_encoder (sensor_msgs/msg/JointState) of '
     'crank_encoder, '),
    (encoders('crank_encoder'), [], 'of which machine? --mechanism NAME or FILE'),
    (encoders('left/crank_encoder', 'right/crank_encoder'), OURS[:2],
     'expected one topic of this name and of type sensor_msgs/msg/JointState, found '
     '/left/crank_encoder, /right/crank_encoder'),
    (encoders('crank_encoder', stamp=0), OURS,
     'all readings are of one instant, 0 s; --set stamps=arrival'),
    (encoders('crank_encoder'), [*OURS[:2], '--sensors', 'wing_encoder'],
     'wing_encoder: unknown sensor of four_bar, expected one of crank_encoder'),
    (encoders('crank_encoder'), [*OURS, '--estimator', 'ekf'], 'ekf: unknown filter'),
    (encoders('crank_encoder'), ['--mechanism', 'none.yaml'], 'none.yaml'),
    (states('left', 'right'), [], 'whose estimates? --name left or --name right'),
    (states('left'), ['--mechanism', 'slider_crank'],
     '/left/state: states of four_bar with other coordinates than slider_crank')])
def test_bags_that_give_no_report_are_reported_in_a_line(messages, options, words, tmp_path,
                                                         capsys):
    write_messages(tmp_path / 'odd', messages)
    assert report.main([str(tmp_path / 'odd'), *options]) == 2
    error = capsys.readouterr().err.strip().splitlines()[-1]
    assert words in error
    assert [path.name for path in tmp_path.iterdir()] == ['odd']


@settings(deadline=None, max_examples=8)
@given(kept=st.floats(0.0, 0.999))
def test_a_bag_that_is_cut_off_gives_a_line(bag, tmp_path_factory, kept):
    folder = tmp_path_factory.mktemp('cut')
    shutil.copytree(bag, folder / 'bag')
    file, = (folder / 'bag').glob('*.mcap')
    content = file.read_bytes()
    file.write_bytes(content[:int(kept * len(content))])
    assert report.main([str(folder / 'bag'), *OURS]) == 2
    assert {path.name for path in folder.iterdir()} == {'bag'}


def test_in_space_all_encoders_of_one_topic_are_read(tmp_path):
    """Without being named: by what is in the bag."""
    names = [f'encoder{k}' for k in range(1, 7)]
    made = Experiment('stewart', names, {}, 0.2, 1e-3)
    write_messages(tmp_path / 'legs', [
        ('/joint_states', joint_state(at, [*names, 'wheel'], [*row, 0.0])) for at, row in zip(
            made.stamps, made.readings(1), strict=True)])
    assert report.main([str(tmp_path / 'legs'), '--mechanism', 'stewart']) == 0
    figures = figures_in(tmp_path / 'legs_report')
    assert figures['sensors'] == names
    assert figures['readings']['used'] == 6 * len(made.stamps)
    estimates = table_in(tmp_path / 'legs_report/estimates.csv')
    np.testing.assert_allclose(estimates['place.z position [m]'][-1], made.truth.z[-1, 2],
                               atol=1e-3)


def test_oil_gets_the_filter_of_oil(tmp_path, crane_messages):
    write_messages(tmp_path / 'crane', crane_messages)
    assert report.main([str(tmp_path / 'crane'), '--mechanism', 'crane']) == 0
    figures = figures_in(tmp_path / 'crane_report')
    assert figures['estimator'] == 'hydraulic_kinematic_ekf'
    assert figures['sensors'] == ['cylinder_encoder', 'pressure1', 'pressure2']
    names = {one['label'] for one in figures['quantities']}
    assert {'s position [m]', 'v1 pressure [Pa]', 'directional spool'} <= names
    assert 'directional command' in table_in(tmp_path / 'crane_report/estimates.csv')


@pytest.fixture
def crane_messages():
    """Messages of a crane at rest: readings of its encoder and pressures, commands of its valve."""
    crane = load_mechanism('crane')
    run = simulate_hydraulics(crane, 0.5, 1e-3)
    messages = []
    for k in range(0, len(run.t), 10):
        at = 10 ** 9 + round(1e9 * run.t[k])
        command = ValveCommand(valve=['directional'], command=[0.0])
        command.header.stamp = stamp(at)
        messages += [('/valve_command', command),
                     ('/cylinder_encoder', joint_state(at, ['cylinder_encoder'], [run.z[k, 0]]))]
        for number in (1, 2):
            pressure = FluidPressure(fluid_pressure=float(run.p[k, number - 1]))
            pressure.header.stamp = stamp(at)
            messages.append((f'/pressure{number}', pressure))
    return messages
