"""Ctrl-C in the middle of a run, and wrong arguments: clean ends, in the user's words."""

from importlib.metadata import entry_points
import os
import re
import signal
import subprocess

from bag_reports import report_in
import pytest
import rosbag2_py

from mb_model.command_api import USER_ERROR
from mb_ros import node_main
from mb_ros.program import main_of

LAUNCH = ['ros2', 'launch', 'mb_bringup', 'three_simulation.launch.py']
PATIENCE = 240.0        # of a machine that does other things [s]
LOST = 'exit code 255'      # in asyncio, of a process that has just ended when it is signalled


def launch(folder, *arguments):
    """Start the launch file, its results in a folder."""
    # Started in the background of a script, pytest and so its children ignore SIGINT.
    return subprocess.Popen(
        [*LAUNCH, f'results:={folder}', *arguments], stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True,
        stdin=subprocess.DEVNULL, start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))


def interrupted(folder, line):
    """Press Ctrl-C when a launch says a line, a pattern; return (exit code, all that it says)."""
    process = launch(folder)
    try:
        received = []
        for said in process.stdout:
            received.append(said)
            if re.search(line, said):
                break
        # A terminal signals all of them; a launch that cannot read from one signals them again.
        os.killpg(process.pid, signal.SIGINT)
        rest, _ = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    return process.returncode, ''.join(received) + rest


def ended_well(output):
    """Assert that all processes of a launch have; return how many there were."""
    assert not re.search(f'Traceback|failed to terminate|process has died(?!.*{LOST})', output)
    started = output.count('process started')
    assert len(re.findall(f'process has finished cleanly|process has died.*{LOST}',
                          output)) == started
    return started


def test_interrupt_in_the_middle_ends_everything_cleanly(tmp_path):
    code, output = interrupted(tmp_path, r'[1-9]\.\d\d / 10 s')     # a second at least
    assert code == 0          # as ROS 2 has it: no failure
    assert ended_well(output) == 4
    bag = str(tmp_path / 'latest' / 'bag')
    assert rosbag2_py.Info().read_metadata(bag, '').message_count > 0
    assert not (tmp_path / 'latest' / 'report.json').exists()
    reported = subprocess.run(
        ['ros2', 'run', 'mb_evaluation', 'report', str(tmp_path / 'latest')], text=True, check=True,
        stdout=subprocess.PIPE, timeout=PATIENCE).stdout
    assert 'the run was interrupted: ' in reported
    report = report_in(tmp_path / 'latest')
    assert 0.1 < report['duration'] < 10.0      # how far it has come is up to the machine's load
    assert report['messages_lost'] == 0
    assert report['observer']['position_rmse'][0] < 0.1


@pytest.mark.parametrize(('line', 'older'), [
    ('Default logging verbosity', True), ('starting, 1 s', True), ('starting, 1 s', False)])
def test_interrupt_while_it_starts_leaves_nothing_but_a_line_on_that(line, older, tmp_path):
    """Neither half a folder, nor a link to an older run without a word; no process dies of it."""
    before = '2026-01-02_03-04-05'
    if older:
        (tmp_path / before).mkdir()
        (tmp_path / 'latest').symlink_to(before)
    code, output = interrupted(tmp_path, line)
    assert line in output
    assert code == 0
    ended_well(output)
    said, = (one for one in output.splitlines() if one.startswith('interrupted before anything'))
    assert sorted(one.name for one in tmp_path.iterdir()) == ([before, 'latest'] if older else [])
    if older:
        assert (tmp_path / 'latest').readlink().name == before
        assert before in said or 'process started' not in output


def test_every_program_of_ours_can_be_interrupted_while_it_is_imported():
    programs = [entry for entry in entry_points(group='console_scripts')
                if entry.dist.name.replace('-', '_').startswith('mb_')]
    assert len(programs) > 20
    for entry in programs:
        kind, _, path = entry.attr.partition('.')
        assert entry.module == 'mb_ros.program', entry
        main = main_of(path)
        assert callable(main), entry
        runs_nodes = isinstance(main, node_main.NodeMain) or entry.name in ('compose', 'keep')
        assert kind == ('node' if runs_nodes else 'command'), entry


@pytest.mark.parametrize(('argument', 'complaint'), [
    ('estimator:=hydraulic_kinematic_ekf', 'hydraulic_kinematic_ekf: four_bar: needs a mechanism '),
    ('estimater:=ukf', 'estimater: no such argument, is estimator meant?'),
])
def test_wrong_argument_is_reported_before_anything_starts(argument, complaint, tmp_path):
    process = launch(tmp_path, argument)
    output, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == USER_ERROR == node_main.USER_ERROR
    assert output.splitlines()[-1].startswith(complaint)
    assert 'ERROR' not in output
    assert 'process started' not in output
    assert 'Traceback' not in output
    assert list(tmp_path.iterdir()) == []
