"""Launch tests in pytest: loads launch_testing for the files that need it, not at every start."""
import pathlib

import pytest

ENTRY = b'generate_test_description'


def pytest_addhooks(pluginmanager):
    pluginmanager.add_hookspecs(HookSpecifications)


class HookSpecifications:
    """Hooks of launch tests in pytest."""

    @staticmethod
    @pytest.hookspec(firstresult=True)
    def pytest_launch_collect_makemodule(module_path, parent, entrypoint):
        """Return a collector for a file whose generate_test_description() is marked, or None."""


def pytest_addoption(parser):
    parser.addoption('--launch-args', nargs='*', default=[],
                     help='One or more Launch test arguments')


def pytest_configure(config):
    config.addinivalue_line(
        'markers', 'launch_test: mark a generate_test_description function as a launch test '
        'description')


def pytest_pycollect_makemodule(module_path, parent):
    if ENTRY not in pathlib.Path(module_path).read_bytes():
        return None
    from launch_testing.pytest import hooks
    return hooks.pytest_pycollect_makemodule(module_path, parent)


@pytest.hookimpl(trylast=True)
def pytest_launch_collect_makemodule(module_path, parent, entrypoint):
    from launch_testing.pytest import hooks
    return hooks.pytest_launch_collect_makemodule(module_path, parent, entrypoint)
