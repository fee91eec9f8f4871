"""How a launch runs and ends, with real processes."""
import signal
import subprocess
import sys
import threading

from launch import EventHandler, LaunchDescription, LaunchService
from launch.actions import (
    ExecuteProcess,
    OpaqueFunction,
    RegisterEventHandler,
    Shutdown,
    TimerAction,
)
from launch.event_handlers import OnProcessExit, OnProcessIO, OnShutdown

FOREVER = [sys.executable, '-c', 'import signal; signal.pause()']


def run(*entities, **options):
    service = LaunchService(noninteractive=True)
    service.include_launch_description(LaunchDescription(entities))
    return service.run(**options)


def test_error_elsewhere_ends_the_processes_orderly():
    """An exception while the description is visited must not leave processes behind."""
    ended = []
    processes = [ExecuteProcess(cmd=FOREVER, on_exit=lambda event, context: ended.append(event))
                 for _ in range(2)]

    def fail(context):
        raise RuntimeError('on purpose')
    assert run(*processes, OpaqueFunction(function=fail)) == 1
    assert len(ended) == 2
    assert all(process.return_code is not None for process in processes)


def test_output_in_pieces_and_in_bulk_is_complete():
    """Nothing is lost between a process and the event handlers, not even its last bytes."""
    script = "import sys; sys.stdout.write('x' * 3000000); sys.stdout.write('end')"
    seen = []
    process = ExecuteProcess(cmd=[sys.executable, '-c', script], cached_output=True)
    assert run(RegisterEventHandler(OnProcessIO(
        on_stdout=lambda event: seen.append(event.text))), process) == 0
    assert process.get_stdout() == b''.join(seen).decode() == 'x' * 3000000 + 'end'


def test_grandchild_that_keeps_the_pipes_does_not_hold_the_end_up():
    codes = []
    process = ExecuteProcess(cmd=['sh', '-c', 'sleep 30 & exit 3'],
                             on_exit=lambda event, context: codes.append(event.returncode))
    timer = TimerAction(period=20.0, actions=[Shutdown(reason='too late')])
    reasons = []
    assert run(process, timer, RegisterEventHandler(OnProcessExit(
        on_exit=lambda event, context: timer.cancel())), RegisterEventHandler(OnShutdown(
            on_shutdown=lambda event, context: reasons.append(event.reason)))) == 0
    assert codes == [3]
    assert reasons == ['idle']


def test_service_can_run_again_and_in_a_thread():
    service = LaunchService()
    handled = []
    service.include_launch_description(LaunchDescription([RegisterEventHandler(EventHandler(
        matcher=lambda event: event.name == 'mine', entities=OpaqueFunction(
            function=lambda context: handled.append(context.locals.event))))]))

    class Mine:
        name = 'mine'
    for _ in range(2):
        thread = threading.Thread(target=service.run)
        thread.start()
        thread.join(20)
        assert not thread.is_alive()
        service.emit_event(Mine())
    assert service.run() == 0
    assert len(handled) == 2


SIGNALLED = """
import signal, sys
def on_signal(number, frame):
    print('ended by', signal.Signals(number).name)
    sys.exit()
signal.signal(signal.SIGINT, on_signal)
print('ready', flush=True)
signal.pause()
"""
LAUNCH = f"""
from launch import LaunchDescription
from launch.actions import ExecuteProcess
def generate_launch_description():
    return LaunchDescription([ExecuteProcess(cmd=[{sys.executable!r}, '-c', {SIGNALLED!r}],
                                             output='screen') for _ in range(2)])
"""


def test_sigterm_ends_the_processes_in_order(tmp_path):
    """As Ctrl-C does; the exit code is 128 and the number of the signal."""
    (tmp_path / 'two.launch.py').write_text(LAUNCH)
    launch = subprocess.Popen(
        [sys.executable, '-m', 'ros2cli.main', 'launch', tmp_path / 'two.launch.py'],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    ready = 0
    while ready < 2:
        ready += 'ready' in launch.stdout.readline()
    launch.send_signal(signal.SIGTERM)
    output, _ = launch.communicate(timeout=30)
    assert output.count('ended by SIGINT') == output.count('process has finished cleanly') == 2
    assert launch.returncode == 128 + signal.SIGTERM


def test_ctrl_c_before_signals_are_handled_ends_the_launch(monkeypatch):
    """Python has raised it in the task of the launch, which has ended with it."""
    def interrupted(_service):
        raise KeyboardInterrupt

    monkeypatch.setattr(LaunchService, '_signals', interrupted)
    assert LaunchService(noninteractive=True).run() == 0
