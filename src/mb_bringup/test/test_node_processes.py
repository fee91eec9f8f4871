"""The nodes as processes: how they begin, wait, end, and what they say to wrong input."""

from importlib import import_module
import os
import signal
import subprocess
import time

from ament_index_python.packages import get_package_prefix
import pytest

from mb_ros.node_bench import complaint_of

PATIENCE = 240.0        # of a machine that does other things [s]


def start(name, *parameters):
    """Start a node, PACKAGE/NODE, with parameters like 'duration:=1.0'."""
    package, _, node = name.partition('/')
    program = os.path.join(get_package_prefix(package), 'lib', package, node)
    arguments = [word for parameter in parameters for word in ('-p', parameter)]
    return subprocess.Popen(
        [program, '--ros-args', *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, env={**os.environ, 'RCUTILS_LOGGING_USE_STDOUT': '0'})


def wait_for_line(process, part):
    """Read what a process says until a line has a part; return that line."""
    for line in process.stdout:
        if part in line:
            return line
    raise AssertionError(f'ended without saying {part!r}')


@pytest.fixture
def running():
    """Return a function like start(); what still runs afterwards is killed."""
    processes = []

    def run(*arguments):
        processes.append(start(*arguments))
        return processes[-1]

    yield run
    for process in processes:
        if process.poll() is None:
            process.kill()
        process.communicate()


@pytest.mark.parametrize(('name', 'parameter', 'complaint'), [
    ('mb_simulation/prototype', 'mechanism:=six_bar', 'six_bar: unknown mechanism'),
    ('mb_simulation/prototype', 'engine:=bullet', 'engine'),
    ('mb_simulation/prototype', 'step:=-1.0', 'step'),
    ('mb_evaluation/accuracy_monitor', 'sensors:=[no_such_sensor]',
     'no_such_sensor: unknown sensor of four_bar'),
    ('mb_evaluation/accuracy_monitor', 'duration:=0.0', 'duration'),
    ('mb_evaluation/markers', 'mechanism:=/no/such.yaml', '/no/such.yaml'),
    ('mb_evaluation/robot_description', 'model_prefix:=observer/', "'observer/' must differ"),
    ('mb_simulation/work_cycle', 'cycle:=digger', 'digger: no such file, nor one of crane'),
    ('mb_simulation/work_cycle', 'mechanism:=four_bar', 'has no hydraulics'),
    ('mb_simulation/work_cycle', 'bag:=/no/such', '/no/such: no such bag'),
])
def test_wrong_parameter_is_reported_in_one_line(name, parameter, complaint, capfd):
    main = import_module(name.replace('/', '.nodes.')).main
    assert complaint in complaint_of(main.node_class, [parameter], capfd)


def test_prototype_waits_for_who_is_not_there_and_ends_on_interrupt(running):
    process = running('mb_simulation/prototype', 'wait_for_nodes:=[/absent]')
    assert '/absent' in wait_for_line(process, 'waiting for')
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert 'Traceback' not in output


@pytest.mark.whole
def test_second_prototype_waits_for_the_end_of_the_first(running):
    first = running('mb_simulation/prototype', 'duration:=0.1')
    assert 'until Ctrl-C' in wait_for_line(first, '0.1 s simulated')
    second = running('mb_simulation/prototype', 'duration:=0.1')
    assert 'ROS_DOMAIN_ID' in wait_for_line(second, 'waiting for')
    first.send_signal(signal.SIGINT)
    assert first.wait(timeout=PATIENCE) == 0
    wait_for_line(second, '0.1 s simulated')


def test_of_two_prototypes_that_wait_for_one_another_one_gives_up(running):
    """In words; the other one goes on."""
    both = [running('mb_simulation/prototype', 'duration:=0.1') for _ in range(2)]
    end = time.monotonic() + PATIENCE
    while all(one.poll() is None for one in both) and time.monotonic() < end:
        time.sleep(0.1)
    both.sort(key=lambda one: one.poll() is None)
    assert (both[0].poll(), both[1].poll()) == (2, None)
    wait_for_line(both[0], 'it waits for this run')
    wait_for_line(both[1], '0.1 s simulated')


def test_monitor_ends_with_a_report_when_nothing_comes_any_more(running, tmp_path):
    monitor = running('mb_evaluation/accuracy_monitor', 'duration:=0.5', f'folder:={tmp_path}',
                      'patience:=1.0', 'first_patience:=1.0')
    prototype = running('mb_simulation/prototype', 'duration:=0.5',
                        'wait_for_nodes:=[/accuracy_monitor]')
    begin = time.monotonic()
    output, _ = monitor.communicate(timeout=PATIENCE)
    assert time.monotonic() - begin < 50
    assert monitor.returncode == 0
    assert ('FAILED: no message came from the model; no message came from the observer'
            in output)
    assert (tmp_path / 'report.json').exists()
    prototype.send_signal(signal.SIGINT)
    assert prototype.wait(timeout=PATIENCE) == 0
