"""Run tests on launched systems."""
import inspect
import threading
import unittest

from launch import LaunchDescription, LaunchDescriptionSource, LaunchService
from launch.actions import IncludeLaunchDescription, RegisterEventHandler
from launch.event_handlers import OnProcessExit, OnProcessIO, OnProcessStart
from launch.logging import get_logger

from .io_handler import ActiveIoHandler
from .loader import READY_FN, find_ready_action
from .parse_arguments import parse_launch_arguments
from .proc_info_handler import ActiveProcInfoHandler
from .test_result import FailResult, SkipResult, TestResult

GRACE = 0.2         # [s] for tests to end after the processes have ended
READY_TIMEOUT = 15  # [s] for ReadyToTest


def io_and_info_handlers(proc_info, proc_output, target_action=None):
    """Return actions which note output, start and end of the processes."""
    def on_start(event, context):
        proc_info.append(event)
        proc_output.track(event.process_name)

    def on_exit(event, context):
        proc_info.append(event)
    return [
        RegisterEventHandler(OnProcessStart(target_action=target_action, on_start=on_start)),
        RegisterEventHandler(OnProcessExit(target_action=target_action, on_exit=on_exit)),
        RegisterEventHandler(OnProcessIO(
            target_action=target_action, on_stdout=proc_output.append,
            on_stderr=proc_output.append)),
    ]


class _RunnerWorker:
    """One launch with its tests."""

    def __init__(self, test_run, launch_file_arguments=(), debug=False):
        self._test_run = test_run
        self._arguments = list(launch_file_arguments)
        self._service = LaunchService(debug=debug, argv=self._arguments)
        self._ready = threading.Event()
        self._done = threading.Event()
        self._launch_ended = False
        self._pre_result = None
        self.proc_info = ActiveProcInfoHandler()
        self.proc_output = ActiveIoHandler()

    def run(self):
        """Return (result during the launch, result after it)."""
        description, context = self._test_run.normalized_test_description(
            ready_fn=self._ready.set)
        values = {
            **self._test_run.param_args, **context, 'proc_info': self.proc_info,
            'proc_output': self.proc_output, 'launch_service': self._service,
            'test_args': dict(parse_launch_arguments(self._arguments))}
        self._test_run.bind(values)
        self._service.include_launch_description(LaunchDescription([
            *io_and_info_handlers(self.proc_info, self.proc_output),
            IncludeLaunchDescription(
                LaunchDescriptionSource(description),
                launch_arguments=parse_launch_arguments(self._arguments))]))
        thread = threading.Thread(
            target=self._run_test, name='launch_tests', daemon=True)
        thread.start()
        code = self._service.run()
        self._launch_ended = True
        self._ready.set()
        if not self._done.wait(GRACE):
            self._tell_early_end()
            self._pre_result = FailResult(
                self._test_run, 'Processes under test stopped before tests completed')
        elif code != 0:
            self._pre_result = FailResult(self._test_run, 'the launch ended with an exception')
        return self._pre_result, self._run_tests(self._test_run.post_shutdown_tests)

    def _run_test(self):
        try:
            if not self._ready.wait(READY_TIMEOUT):
                print('Timed out waiting for processes to start up')
                self._pre_result = FailResult(
                    self._test_run, 'Timed out waiting for processes to start up')
            elif not self._launch_ended:
                self._pre_result = self._run_tests(self._test_run.pre_shutdown_tests)
            else:
                return          # an exception ended the launch before it was ready
        finally:
            if self._pre_result is not None:
                self._done.set()
                self._service.shutdown()

    def _run_tests(self, suite):
        def result_class(stream, descriptions, verbosity, **kwargs):
            return TestResult(stream, descriptions, verbosity, test_run=self._test_run)
        return unittest.TextTestRunner(verbosity=2, resultclass=result_class).run(suite)

    def _tell_early_end(self):
        print('Processes under test stopped before tests completed')
        for event in self.proc_info:
            code = getattr(event, 'returncode', None)
            print(f"Process '{event.process_name}' exited with exit code {code}")
            for io in self.proc_output[event.action] if code else ():
                print(f'\t{io.text.decode(errors="replace").rstrip()}')


class LaunchTestRunner:
    """Runs the test runs of a file, one after the other."""

    def __init__(self, test_runs, launch_file_arguments=(), debug=False):
        self._test_runs = list(test_runs)
        self._arguments = list(launch_file_arguments or ())
        self._debug = debug

    def generate_run_worker(self, test_run):
        """Return what runs one test run; for subclasses."""
        return _RunnerWorker(test_run, self._arguments, self._debug)

    def run(self):
        """Return {test run: result}, of both phases together."""
        results = {}
        for test_run in self._test_runs:
            if len(self._test_runs) > 1:
                print(f'Starting test run {test_run}')
            results[test_run] = self._run_with_retries(test_run)
        return results

    def _run_with_retries(self, test_run):
        if test_run.skip_reason is not None:
            return SkipResult(test_run, msg=test_run.skip_reason)
        times = test_run.markers.get('retry_on_failure', {}).get('times', 1)
        for attempt in range(1, times + 1):
            pre, post = self.generate_run_worker(test_run).run()
            result = joined(test_run, pre, post)
            if result.wasSuccessful() or attempt == times:
                return result
            get_logger('launch_testing').warning(
                f'test run {test_run} failed, attempt {attempt} of {times}')
        return result

    def validate(self):
        """Raise an Exception in words if a description cannot be tested."""
        for run in self._test_runs:
            if run.skip_reason is None:
                check_signature(run)
                if not run.takes_ready_fn():
                    check_description(*run.normalized_test_description())


def check_signature(run):
    """Raise an Exception unless the function takes no arguments but known ones."""
    function = run.test_description_function
    for name in run.param_args:
        if name not in inspect.signature(inspect.unwrap(function)).parameters:
            raise Exception(f"Could not find an argument in generate_test_description matching "
                            f"the parametrized name '{name}'")
    for parameter in inspect.signature(function).parameters.values():
        if (parameter.name not in (READY_FN, *run.param_args)
                and parameter.default is parameter.empty):
            raise Exception('generate_test_description has unexpected extra argument '
                            f"'{parameter.name}'")


def check_description(description, context):
    """Raise an Exception unless this is a launch description which becomes ready."""
    if not isinstance(description, LaunchDescription):
        raise TypeError('generate_test_description() must return a LaunchDescription, '
                        f'got {type(description)}')
    if not isinstance(context, dict):
        raise TypeError('generate_test_description() must return a dict as second value, '
                        f'got {type(context)}')
    if find_ready_action(description.entities) is None:
        raise Exception('generate_test_description() has no ReadyToTest action: the tests '
                        'would never begin')


def joined(test_run, pre, post):
    """Return the results of both phases as one."""
    if isinstance(pre, FailResult):
        return pre
    pre.append(post)
    return pre
