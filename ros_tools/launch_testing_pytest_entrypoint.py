"""Launch tests in pytest: loads launch_testing for the files that need it, not at every start.

As ROS's plugin does, it imports every test file by its path with the folder put in front of
sys.path, whatever --import-mode says: of two files with one name in different folders the second
one cannot be collected, unless their folders are packages.
"""
import pytest

ENTRY = 'generate_test_description'


def pytest_addhooks(pluginmanager):
    pluginmanager.add_hookspecs(HookSpecifications)


class HookSpecifications:
    """Hooks of launch tests in pytest."""

    @staticmethod
    @pytest.hookspec(firstresult=True)
    def pytest_launch_collect_makemodule(module_path, parent, entrypoint):
        """Return a collector for a file whose generate_test_description() is marked, or None."""


def pytest_addoption(parser):
    parser.addoption('--launch-args', action='append', nargs='*', default=[],
                     help='One or more Launch test arguments')


def pytest_configure(config):
    config.addinivalue_line(
        'markers', 'launch_test: mark a generate_test_description function as a launch test '
        'description')


def import_by_path(path, config):
    """Return a file as a module, known by its name alone."""
    from _pytest.pathlib import import_path
    further = {}
    if hasattr(pytest, 'version_tuple') and pytest.version_tuple >= (8, 1):
        further['consider_namespace_packages'] = False
    return import_path(path, root=config.rootpath, **further)


class ImportedByPath(pytest.Module):
    """A file of plain tests."""

    def collect(self):
        from _pytest.pathlib import ImportPathMismatchError
        try:
            import_by_path(self.path, self.config)
        except ImportPathMismatchError as error:
            name, known, _ = error.args
            raise self.CollectError(
                f'import file mismatch: launch_testing imports {self.path} by its name alone, but '
                f"'{name}' is {known} already; test files need names of their own") from error
        except SyntaxError:
            pass                # is reported by pytest itself
        return super().collect()


def find_entrypoint(path, config):
    """Return generate_test_description() of a file, or None; files without it are not imported."""
    if ENTRY.encode() not in path.read_bytes():
        return None
    try:
        return getattr(import_by_path(path, config), ENTRY, None)
    except Exception:
        return None             # is reported when the file is collected


def pytest_pycollect_makemodule(module_path, parent):
    entrypoint = find_entrypoint(module_path, parent.config)
    collector = None
    if entrypoint is not None:
        collector = parent.session.gethookproxy(module_path).pytest_launch_collect_makemodule(
            module_path=module_path, parent=parent, entrypoint=entrypoint)
    return collector or ImportedByPath.from_parent(parent, path=module_path)


@pytest.hookimpl(trylast=True)
def pytest_launch_collect_makemodule(module_path, parent, entrypoint):
    from launch_testing import pytest_hooks
    return pytest_hooks.pytest_launch_collect_makemodule(module_path, parent, entrypoint)
