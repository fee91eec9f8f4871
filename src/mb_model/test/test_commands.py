"""The commands that simulate and show, as a user runs them, and the look of their tables."""

from argparse import ArgumentParser
from math import inf
import signal
import subprocess
import sys
import time

from hypothesis import given, strategies as st
import pytest
from rich.text import Text

from mb_model import Run, load_mechanism, simulate
from mb_model.commands import show, simulate as command
from mb_model.commands.exits import run_command
from mb_model.commands.terminal import laid_out, table


def test_simulate_saves_what_the_library_computes(tmp_path, capsys):
    (tmp_path / 'forces.csv').write_text('t,theta\n0.0,2.0\n0.05,-1.0\n')
    arguments = ['four_bar', '--duration', '0.1', '--dt', '0.001', '--formulation', 'matrix_r',
                 '--integrator', 'rk4', '--set', 'gravity=[0,-9.8]', '--set',
                 'bodies.crank.mass=3', '--force-table', str(tmp_path / 'forces.csv'),
                 '--save', str(tmp_path / 'run.npz')]
    assert command.main(arguments) == 0
    printed = capsys.readouterr().out
    assert 'four_bar · matrix_r, rk4 · step 1 ms' in printed
    assert 'x real time' in printed
    loaded = Run.load(tmp_path / 'run.npz')
    mechanism = load_mechanism('four_bar').replace(
        gravity=[0.0, -9.8], bodies={'crank': {'mass': 3.0}})
    run = simulate(mechanism, 0.1, 1e-3, 'matrix_r', 'rk4',
                   inputs=lambda t, z, zd: [2.0 if t < 0.05 - 1e-9 else -1.0])
    assert loaded.qdd.tobytes() == run.qdd.tobytes()


def test_simulate_says_how_far_the_motion_is_off(capsys):
    fast = ['pendulum', '--set', 'start_velocity.theta=1000', '--set', 'gravity=[0,0]',
            '--duration', '0.2']
    assert command.main(fast) == 0
    printed = capsys.readouterr().out
    assert 'error          about 1' in printed
    assert 'warning        steps of 0.001 s are too long for this motion' in printed
    assert command.main([*fast, '--tolerance', '0.01']) == 0
    printed = capsys.readouterr().out
    assert 'theta = 199.99' in printed
    assert 'warning' not in printed


def test_show_draws_a_saved_run(tmp_path, capsys):
    assert command.main(['five_bar', '--duration', '0.2', '--dt', '0.01', '--force',
                         'theta1=pi', '--save', str(tmp_path / 'bag')]) == 0
    assert show.main([str(tmp_path / 'bag'), '--plot', str(tmp_path / 'p.png'),
                      '--animate', str(tmp_path / 'a.html'), '--trace', 'P2']) == 0
    first, second = capsys.readouterr().out.split('five_bar ·')[1:]
    energy_line = next(line for line in first.splitlines() if line.startswith('energy drift'))
    assert energy_line in second
    assert (tmp_path / 'p.png').stat().st_size > 10_000
    assert (tmp_path / 'a.html').stat().st_size > 10_000


@pytest.mark.parametrize('given', ['five_bar', '/somewhere/own.yaml'])
def test_show_names_the_commands_for_mechanisms(given, capsys):
    assert show.main([given]) == 2
    assert 'a mechanism, no run: `ros2 run mb_model simulate`' in capsys.readouterr().err


@pytest.mark.parametrize(('arguments', 'message'), [
    (['six_bar'], 'six_bar: unknown mechanism'),
    (['four_bar', '--set', 'gravity'], '--set gravity: must be KEY=VALUE'),
    (['four_bar', '--set', 'mass=3'], 'mass: unknown key'),
    (['four_bar', '--set', 'bodies.crank.mass=-1'], 'bodies.crank.mass: -1'),
    (['four_bar', '--formulation', 'newton'], 'formulation: newton: unknown'),
    (['four_bar', '--integrator', 'leapfrog'], 'integrator: leapfrog: unknown'),
    (['four_bar', '--setting', 'softness=1'], 'softness: unknown setting'),
    (['four_bar', '--setting', 'newton_tolerance=tight'],
     "newton_tolerance: 'tight' must be a number"),
    (['four_bar', '--setting', 'tolerance=1e-3'], 'tolerance: unknown setting'),
    (['crane', '--tolerance', '0.1'], '--tolerance: not with hydraulics'),
    (['four_bar', '--formulation', 'lagrange', '--setting', 'natural_frequency=-1'], 'must be >'),
    (['four_bar', '--force', 'phi=1'], 'inputs: phi: unknown degree of freedom'),
    (['four_bar', '--force', 'theta=big'], 'big'),
    (['four_bar', '--force-table', '/nowhere.csv'], '/nowhere.csv'),
    (['four_bar', '--save', '/nowhere/run.npz'], '/nowhere/run.npz: no such folder'),
    (['four_bar', '--save', '/tmp'], '/tmp: already exists'),
    (['four_bar', '--plot', '/tmp'], '--plot /tmp: is a folder, expected a file'),
    (['four_bar', '--animate', 'a.avi'], 'a.avi: must end in .mp4, .gif, .html'),
    (['four_bar', '--duration', '0.01', '--plot', 'x.nothing'], 'nothing')])
def test_mistakes_are_reported_in_one_line(arguments, message, capsys):
    assert command.main(arguments) == 2
    errors = capsys.readouterr().err
    assert message in errors
    assert len(errors.strip().splitlines()) == 1


@pytest.mark.parametrize(('numbers', 'message'), [
    ((1.0, 0.0), 'dt 0.0 > 0'), ((inf, 1e-3), 'duration inf must be'),
    ((1.0, 1e-3, -1.0), 'tolerance -1.0 must be > 0')])
def test_numbers_of_the_library_are_reported(numbers, message):
    duration, dt, *tolerance = numbers
    with pytest.raises(ValueError, match=message):
        simulate(load_mechanism('four_bar'), duration, dt,
                 **dict(zip(['tolerance'], tolerance, strict=False)))


def test_a_motion_that_cannot_go_on_is_reported(capsys):
    assert command.main(['four_bar', '--force', 'theta=1e300']) == 1
    errors = capsys.readouterr().err
    assert errors.startswith('the motion cannot go on: four_bar: no step of 0.001 s from z = ')
    assert ', at t = ' in errors


def test_ctrl_c_ends_quietly():
    program = ('import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n'
               'from mb_model.commands.simulate import main\n'
               'import sys; print("ready", flush=True)\n'
               'sys.exit(main(["four_bar", "--duration", "1e5"]))')
    process = subprocess.Popen([sys.executable, '-c', program], text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout.readline() == 'ready\n'
    time.sleep(1.0)         # anywhere in its work will do
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert errors.strip() == 'interrupted'


def test_a_table_shows_units_groups_title_and_caption():
    shown = laid_out(table(
        ('mass [kg]', 'kind'), [[('2', 'rod'), ('10', Text('plate', 'bold'))], [('3', '[red]')]],
        'parts [of it]', ['all [kg]'], words=(1,)))
    assert [line.rstrip() for line in shown.splitlines()] == [
        'parts [of it]',
        '╭───────────┬───────╮',
        '│ mass [kg] │ kind  │',
        '├───────────┼───────┤',
        '│         2 │ rod   │',
        '│        10 │ plate │',
        '├───────────┼───────┤',
        '│         3 │ [red] │',
        '╰───────────┴───────╯',
        'all [kg]']


def test_a_table_without_headings_has_no_line_for_them():
    shown = laid_out(table(('', ''), [[('speed', '2 x real time')]], words=(0, 1)))
    assert len(shown.splitlines()) == 3


@pytest.mark.parametrize('wrong', [lambda folder: (folder / 'none').read_bytes(),
                                   lambda folder: folder.read_bytes()])
def test_files_that_cannot_be_read_are_named_without_numbers(tmp_path, capsys, wrong):
    """As `import_recording` of a table that is not there."""
    assert run_command(lambda given: wrong(tmp_path), ArgumentParser(), []) == 2
    said = capsys.readouterr().err
    assert said.startswith(str(tmp_path))
    assert said.endswith((': No such file or directory\n', ': Is a directory\n'))


@given(names=st.lists(st.from_regex(r'[a-z_.]{1,50}', fullmatch=True), min_size=1, max_size=3),
       width=st.integers(40, 120))
def test_names_are_not_cut_in_narrow_tables(names, width):
    shown = laid_out(table(('name', 'value'), [[(name, '1.25')] for name in names]), width)
    column = [line.split('│')[1].strip() for line in shown.splitlines() if line.startswith('│')]
    assert ''.join(column) == ''.join(['name', *names])
    assert shown.count('1.25') == len(names)
