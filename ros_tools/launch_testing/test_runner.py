"""Run tests on launched systems."""
import inspect
import threading
import unittest

from launch import LaunchDescription, LaunchDescriptionSource, LaunchService
from launch.actions import IncludeLaunchDescription, RegisterEventHandler
from launch.event_handlers import OnProcessExit, OnProcessIO, OnProcessStart
from ros2launch.api import parse_launch_arguments

from .io_handler import ActiveIoHandler, ActiveProcInfoHandler
from .test_result import FailResult, SkipResult, TestResult

GRACE = 0.2         # [s] for tests to end after the processes have ended
READY_TIMEOUT = 15  # [s] for ReadyToTest


class _LaunchDiedException(Exception):
    """The launch has ended before the tests."""


class _RunnerWorker:
    """One launch with its tests."""

    def __init__(self, test_run, launch_file_arguments=(), debug=False):
        self._test_run = test_run
        self._arguments = list(launch_file_arguments)
        self._service = LaunchService(debug=debug, argv=self._arguments)
        self._ready = threading.Event()
        self._done = threading.Event()
        self._launch_ended = False
        self._reason = 'Launch stopped before the active tests finished.'
        self._results = None
        self._proc_info = ActiveProcInfoHandler()
        self._proc_output = ActiveIoHandler()

    def run(self):
        """Return the results of the tests during the launch and after it."""
        description, context = self._test_run.normalized_test_description(
            ready_fn=self._ready.set)
        self._bind(self._test_run.pre_shutdown_tests, context, self._proc_info,
                   self._proc_output, launch_service=self._service)
        self._bind(self._test_run.post_shutdown_tests, context, self._proc_info,
                   self._proc_output)
        self._service.include_launch_description(LaunchDescription([
            *self._handlers(),
            IncludeLaunchDescription(
                LaunchDescriptionSource(description),
                launch_arguments=parse_launch_arguments(self._arguments))]))
        threading.Thread(target=self._run_test, name='launch_tests', daemon=True).start()
        code = self._service.run(
            shutdown_when_idle=not self._test_run.markers.get('keep_alive', False))
        self._launch_ended = True
        self._ready.set()
        if not self._done.wait(GRACE):
            self._report_early_end()
            raise _LaunchDiedException(self._reason)
        if code != 0:
            raise _LaunchDiedException(
                f'the launch ended with an exception: {self._service.failure}')
        self._results.append(run_suite(self._test_run.post_shutdown_tests))
        return self._results

    def _bind(self, tests, context, proc_info, proc_output, **others):
        values = {'proc_info': proc_info, 'proc_output': proc_output,
                  'test_args': dict(parse_launch_arguments(self._arguments)), **others}
        self._test_run.bind(
            tests, injected_attributes={**self._test_run.param_args, **context, **values},
            injected_args={**self._test_run.param_args, **context, **values})

    def _handlers(self):
        """Return actions which note output, start and end of the processes."""
        def on_start(event, context):
            self._proc_info.append(event)
            self._proc_output.track(event.process_name)
        return [
            RegisterEventHandler(OnProcessStart(on_start=on_start)),
            RegisterEventHandler(OnProcessExit(
                on_exit=lambda event, context: self._proc_info.append(event))),
            RegisterEventHandler(OnProcessIO(
                on_stdout=self._proc_output.append, on_stderr=self._proc_output.append)),
        ]

    def _run_test(self):
        try:
            if not self._ready.wait(READY_TIMEOUT):
                self._reason = 'Timed out waiting for processes to start up'
                print(self._reason)
            elif not self._launch_ended:
                self._results = run_suite(self._test_run.pre_shutdown_tests)
                self._done.set()
        finally:
            self._service.shutdown()

    def _report_early_end(self):
        print('Processes under test stopped before tests completed')
        for event in self._proc_info:
            code = getattr(event, 'returncode', None)
            print(f"Process '{event.process_name}' exited with exit code {code}")
            for io in self._proc_output[event.action] if code else ():
                print(f'\t{io.text.decode(errors="replace").rstrip()}')


def run_suite(suite):
    return unittest.TextTestRunner(verbosity=2, resultclass=TestResult).run(suite)


class LaunchTestRunner:
    """Runs the test runs of a file, one after the other."""

    def __init__(self, test_runs, launch_file_arguments=(), debug=False):
        self._test_runs = list(test_runs)
        self._arguments = list(launch_file_arguments or ())
        self._debug = debug

    def run(self):
        """Return {test run: result}; the run after one whose launch died are left out."""
        results = {}
        for run in self._test_runs:
            if len(self._test_runs) > 1:
                print(f'\nStarting test run {run}')
            try:
                results[run] = _RunnerWorker(
                    run, self._arguments, self._debug).run()
            except unittest.SkipTest as reason:
                print(f'{run} is skipped: {reason}')
                results[run] = SkipResult(run, str(reason))
            except _LaunchDiedException as reason:
                results[run] = FailResult(run, str(reason))
                break
        return results

    def validate(self):
        """Raise an Exception unless the descriptions' functions take the run's arguments."""
        for run in self._test_runs:
            parameters = inspect.signature(
                inspect.unwrap(run.test_description_function)).parameters
            for name in run.param_args:
                if name not in parameters:
                    raise Exception('Could not find an argument in generate_test_description '
                                    f"matching the parametrized name '{name}'")
            for name in parameters:
                if name not in run.param_args:
                    raise Exception('generate_test_description has unexpected extra argument '
                                    f"'{name}'")
