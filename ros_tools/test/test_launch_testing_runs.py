"""Descriptions of launch tests, their runs, results and collection."""
import types
import unittest

import launch
import launch_testing
from launch_testing.actions import ReadyToTest
from launch_testing.loader import LoadTestsFromPythonModule
from launch_testing.test_result import FailResult, SkipResult, unittestResultsToXml
from launch_testing.test_runner import LaunchTestRunner
import pytest

pytest_plugins = ['pytester']


def module_with(description, *test_classes):
    module = types.ModuleType('made_up')
    module.generate_test_description = description
    for number, test_class in enumerate(test_classes):
        setattr(module, f'Test{number}', test_class)
    return module


def ready():
    return launch.LaunchDescription([ReadyToTest()])


class During(unittest.TestCase):
    __test__ = False        # for runs made here, not for pytest

    def test_word(self, word):
        assert word != 'pear'


@launch_testing.post_shutdown_test()
class Afterwards(unittest.TestCase):
    __test__ = False

    def test_handlers(self, proc_info, proc_output):
        assert isinstance(proc_info, launch_testing.ProcInfoHandler)
        assert isinstance(proc_output, launch_testing.IoHandler)


@pytest.mark.parametrize('names', [('a', 'b'), ['a']])
def test_names_of_parameters_are_one_text(names):
    with pytest.raises(TypeError, match="one text, 'a, b'"):
        launch_testing.parametrize(names, [(1, 2)])


def test_a_parametrized_description_yields_functions():
    @launch_testing.parametrize('a, b', [(1, 2), (3, 4)])
    def description(a, b, further=0):
        return a, b, further
    assert [(made(further=9), bound) for made, bound in description()] == [
        ((1, 2, 9), {'a': 1, 'b': 2}), ((3, 4, 9), {'a': 3, 'b': 4})]


def test_runs_of_a_parametrized_description():
    @launch_testing.parametrize('word', ['apple', 'pear', [1]])
    @launch_testing.markers.keep_alive
    def description(word):
        return ready()
    runs = LoadTestsFromPythonModule(module_with(description, During, Afterwards))
    assert [str(run) for run in runs] == [
        f'launch_tests[{word}]' for word in ('apple', 'pear', [1])]
    assert [test.id().rpartition('.')[2] for test in runs[0].all_cases()] == [
        'test_word[apple]', 'test_handlers[apple]']
    runner = LaunchTestRunner(runs)
    runner.validate()
    results = runner.run()
    assert [results[run].wasSuccessful() for run in runs] == [True, False, True]
    suites = list(unittestResultsToXml(test_results=results).getroot())
    assert [suite.get('failures') for suite in suites] == ['0', '1', '0']
    assert suites[0][0].get('classname').endswith('.During')


def test_arguments_of_descriptions_are_checked():
    def runner(description):
        return LaunchTestRunner(LoadTestsFromPythonModule(module_with(description)))
    with pytest.raises(Exception, match="unexpected extra argument 'other'"):
        runner(lambda other: ready()).validate()
    with pytest.raises(Exception, match=r"Could not find an argument .*'other'"):
        runner(launch_testing.parametrize('other', [1])(lambda: ready())).validate()
    lacking = runner(lambda: launch.LaunchDescription())
    lacking.validate()
    with pytest.raises(Exception, match='containing a ReadyToTest action'):
        lacking.run()


def test_skipped_and_dead_runs():
    skipped = unittest.skip('no crane here')(lambda: ready())
    run, = LoadTestsFromPythonModule(module_with(skipped, During, Afterwards))
    result, = LaunchTestRunner([run]).run().values()
    assert isinstance(result, SkipResult)
    assert result.wasSuccessful()
    suite, = unittestResultsToXml(test_results={run: result}).getroot()
    assert suite.get('skipped') == suite.get('tests') == '2'
    assert suite[0].find('skipped').get('message') == 'no crane here'
    dead, = LaunchTestRunner([LoadTestsFromPythonModule(module_with(
        lambda: launch.LaunchDescription([launch.actions.TimerAction(
            period=3.0, actions=[ReadyToTest()]), launch.actions.Shutdown()]), During))[0]
    ]).run().values()
    assert isinstance(dead, FailResult)
    assert not dead.wasSuccessful()
    assert dead.testCases


# --- collection

def test_files_of_one_name_are_not_collected(pytester):
    """launch_testing's plugin imports by the file's name, whatever the import mode."""
    for package in ('pump', 'crane'):
        folder = pytester.mkdir(package)
        (folder / 'test_same.py').write_text('def test_it():\n    pass\n')
    run = pytester.runpytest('--import-mode=importlib')
    assert run.ret == pytest.ExitCode.INTERRUPTED
    run.stdout.fnmatch_lines(['*import file mismatch*test_same.py by its name alone*'])
    assert pytester.runpytest('--import-mode=importlib', 'pump').ret == 0


def test_arguments_for_launch_tests(pytester):
    pytester.makepyfile(test_launched="""
        import unittest
        import launch
        import launch_testing.actions
        import pytest

        @pytest.mark.launch_test
        @launch_testing.markers.keep_alive
        def generate_test_description():
            return launch.LaunchDescription([launch_testing.actions.ReadyToTest()]), {'ten': 10}

        class TestValues(unittest.TestCase):
            def test_values(self, test_args, ten):
                assert (test_args, ten, self.ten) == ({'a': '1', 'b': '2'}, 10, 10)
        """)
    run = pytester.runpytest_subprocess('--launch-args', 'a:=1', '--launch-args=b:=2')
    run.assert_outcomes(passed=1)
