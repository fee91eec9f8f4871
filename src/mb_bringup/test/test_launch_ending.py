"""How a launched run ends, with which exit code, and that nothing of it stays behind.

test_compiled_ahead.py launches a run whose verdict fails.
"""

from collections import Counter
from functools import partial
import os
import re
import signal
import subprocess
import time

from launch import LaunchDescription, LaunchService
from launch.actions import ExecuteProcess
import pytest
import yaml

from mb_bringup import ending
from mb_ros.process_tree import descendants, node_names

FOREVER = ['sleep', '1000']
LAUNCH = ['ros2', 'launch', 'mb_bringup', 'three_simulation.launch.py']
PATIENCE = 120.0        # of a machine that does other things [s]


def when_interrupted(command):
    """Return a process that does this when the launch ends."""
    return ['sh', '-c', f"trap '{command}' INT; while true; do sleep .05; done"]


def run(strict, *, monitor=('true',), needed=FOREVER, recorder=FOREVER, objections=(),
        product='/no/such/file'):
    """Return the exit code of a launch with three processes."""
    of_run = ending.Ending(strict, lambda: list(objections))
    processes = [ExecuteProcess(cmd=list(cmd), name=name, output='screen') for name, cmd in (
        ('monitor', monitor), ('needed', needed), ('recorder', recorder))]
    service = LaunchService(noninteractive=True)
    service.include_launch_description(LaunchDescription([
        *of_run.with_monitor(processes[0]), *of_run.with_failure(processes[1]),
        *of_run.without(processes[2], product), *processes]))
    return service.run()


@pytest.mark.parametrize(('given', 'printed'), [
    ({}, None),
    ({'objections': ['FAILED: a lot']}, 'FAILED: a lot'),
    ({'monitor': ['sh', '-c', 'exit 3']}, r'monitor-\d+ failed with exit code 3'),
    ({'monitor': FOREVER, 'needed': ['sh', '-c', 'kill -9 $$']},
     r'needed-\d+ was ended by signal 9'),
    ({'monitor': FOREVER, 'needed': ['/no/such/program']}, r'needed-\d+ could not be started'),
    ({'monitor': FOREVER, 'recorder': ['false']}, r'recorder-\d+ failed with exit code 1'),
    ({'monitor': ['sleep', '1'], 'recorder': ['false'], 'product': __file__},
     r'recorder-\d+ failed with exit code 1'),
    ({'monitor': ['sleep', '.3'], 'recorder': when_interrupted('exit 3')},
     r'recorder-\d+ failed with exit code 3'),
    ({'monitor': ['sleep', '.3'], 'needed': when_interrupted('kill -SEGV $$')},
     r'needed-\d+ was ended by signal 11'),
    ({'monitor': ['sleep', '.3'], 'needed': when_interrupted('exit 0')}, None)])
def test_exit_code_reports_failures(given, printed, capfd, monkeypatch):
    """Whatever still runs; and not if that is not wanted."""
    monkeypatch.setattr(ending, 'GRACE', 0.1)
    assert run(True, **given) == (1 if printed else 0)
    out, err = capfd.readouterr()
    over = given.get('monitor', ['true']) != FOREVER and 'exit 3' not in given.get('monitor', '')
    assert (out + err).count('closing the recording and ending all nodes') == over
    found = re.search(rf'Caught exception in launch.*{printed or ""}', out + err)
    assert bool(found) == bool(printed)
    if printed:
        assert run(False, **given) == 0


FAILING = {
    'fails_at_once': ['false'], 'fails_later': ['sh', '-c', 'sleep 0.5; exit 7'],
    'refuses_its_parameters': ['sh', '-c', 'exit 2'], 'is_not_there': ['/no/such/program'],
    'cannot_be_run': ['/etc/passwd']}
KILLED = {'is_killed': ['sh', '-c', 'kill -9 $$'], 'crashes': ['sh', '-c', 'kill -SEGV $$']}
RUNNING = {
    'is_closed': ['true'], 'stands_still': ['sh', '-c', 'kill -STOP $$'], 'shouts': ['seq', '5000'],
    'ignores_signals': ['sh', '-c', 'trap "" INT TERM; while true; do sleep 1; done']}


@pytest.mark.parametrize('kept', [False, True])
def test_however_viewers_end_the_run_goes_on(kept, capfd):
    """Kept or not, until the monitor ends it, as if there had been none."""
    of_run, begun = ending.Ending(True, list), Counter()

    def viewer(name, command):
        begun[name] += 1
        return ExecuteProcess(cmd=command if begun[name] < 3 else FOREVER, name=name, output='log',
                              sigterm_timeout='0.2', sigkill_timeout='0.2')

    viewers = {**FAILING, **KILLED, **RUNNING}
    monitor = ExecuteProcess(cmd=['sh', '-c', 'sleep 4; echo the report'], name='monitor',
                             output='screen')
    service = LaunchService(noninteractive=True)
    service.include_launch_description(LaunchDescription([
        *of_run.with_monitor(monitor),
        *(action for name, command in viewers.items()
          for action in of_run.viewer(partial(viewer, name, command), kept)), monitor]))
    assert service.run() == 0
    printed = ''.join(capfd.readouterr())
    assert 'the report' in printed
    assert begun == {name: 3 if kept and name in KILLED else 1 for name in viewers}
    said = set(re.findall(r'(\w+)-\d+ .*, the run goes on without it', printed))
    assert said == set(FAILING) | (set() if kept else set(KILLED))


def test_what_fails_while_the_monitor_ends_well_has_failed_too(capfd):
    """It would have ended the run a moment later."""
    assert run(True, monitor=['sleep', '0.5'], needed=['false']) == 1
    assert re.search(r'needed-\d+ failed with exit code 1', ''.join(capfd.readouterr()))


def launched(folder, *arguments):
    """Start the launch file, its results in a folder."""
    return subprocess.Popen(
        [*LAUNCH, f'results:={folder}', *arguments], stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True,
        stdin=subprocess.DEVNULL)


def until(process, part):
    """Read what a launch says until a line has a part; return all of it."""
    text = ''
    for line in process.stdout:
        text += line
        if part in line:
            return text
    raise AssertionError(f'ended without saying {part!r}: {text}')


@pytest.mark.whole
@pytest.mark.parametrize(('code', 'respawn'), [
    ('raise RuntimeError("broken")', 'false'), ('import os; os.abort()', 'true')])
def test_a_broken_viewer_ends_no_run(tmp_path, monkeypatch, code, respawn):
    """Whether its package raises or crashes: there is a report, and the verdict counts."""
    (tmp_path / 'rerun').mkdir()
    (tmp_path / 'rerun' / '__init__.py').write_text(code)
    path = os.pathsep.join(filter(None, (str(tmp_path), os.environ.get('PYTHONPATH'))))
    monkeypatch.setenv('PYTHONPATH', path)
    process = launched(tmp_path / 'results', 'duration:=8.0', 'record:=false', 'view:=web',
                       f'respawn:={respawn}')
    output, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, output
    assert 'PASSED' in output
    assert (tmp_path / 'results' / 'latest' / 'report.json').exists()
    assert re.search(r'web_view-\d+ .*, the run goes on without it', output)


def test_nothing_stays_behind_when_the_launch_is_killed(tmp_path):
    """As ROS 2 does by itself on SIGTERM; the bag is closed nevertheless."""
    process = launched(tmp_path, 'composed:=false')
    until(process, '/ 10 s')
    left = {one: node_names(one) for one in descendants(process.pid)}
    assert set(left.values()) >= {'bag', 'prototype', 'estimator', 'sensor_driver'}
    process.kill()
    process.communicate(timeout=PATIENCE)       # who still writes has ended
    wait_until_ended(left)
    bag = yaml.safe_load((tmp_path / 'latest' / 'bag' / 'metadata.yaml').read_text())
    assert bag['rosbag2_bagfile_information']['message_count'] > 0


@pytest.mark.parametrize('name', ['bag', 'accuracy_monitor', 'composed', 'prototype'])
def test_who_dies_while_starting_ends_the_launch(tmp_path, name):
    """With its name, before anything waits for it in vain."""
    process = launched(tmp_path)
    said = until(process, f'[{name}-')
    os.kill(int(re.search(rf'{name}-\d+\]: process started with pid \[(\d+)\]', said)[1]),
            signal.SIGKILL)
    killed = time.monotonic()
    output, _ = process.communicate(timeout=PATIENCE)
    assert time.monotonic() - killed < 30.0
    assert process.returncode == 1
    assert re.search(rf'Caught exception in launch.*{name}-\d+ was ended by signal 9', output)


def wait_until_ended(names):
    """Wait until none of some processes is alive; names: of each process id."""
    end = time.monotonic() + PATIENCE
    while running := [name for one, name in names.items() if is_alive(one)]:
        assert time.monotonic() < end, running
        time.sleep(0.1)


def is_alive(process):
    """Return whether a process, by its id, has not ended."""
    try:
        os.kill(process, 0)
        with open(f'/proc/{process}/stat') as file:
            return file.read().rpartition(')')[2].split()[0] != 'Z'
    except (ProcessLookupError, FileNotFoundError):
        return False


def test_a_terminated_launch_differs_from_one_that_ended(tmp_path):
    """On ROS 2 by the signal, with ros_tools by its number."""
    process = launched(tmp_path, 'record:=false')
    until(process, 'process started')
    left = {one: node_names(one) for one in descendants(process.pid)}   # still start Python
    assert left
    process.terminate()
    process.communicate(timeout=PATIENCE)
    assert process.returncode in (-signal.SIGTERM, 128 + signal.SIGTERM)
    wait_until_ended(left)
