"""Load launch files in Python."""
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from types import ModuleType

from ..invalid_launch_file_error import PYTHON_LAUNCH_FILE, InvalidLaunchFileError


class InvalidPythonLaunchFileError(InvalidLaunchFileError):
    """A Python file that is no launch file."""

    def __str__(self):
        return self._extension


def load_python_launch_file_as_module(python_launch_file_path: str) -> ModuleType:
    """Return the file as a module, which is not entered into sys.modules."""
    loader = SourceFileLoader(PYTHON_LAUNCH_FILE, python_launch_file_path)
    module = module_from_spec(spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


def get_launch_description_from_python_launch_file(python_launch_file_path: str):
    """Return what generate_launch_description() of a file returns."""
    module = load_python_launch_file_as_module(python_launch_file_path)
    if not hasattr(module, 'generate_launch_description'):
        raise InvalidPythonLaunchFileError(
            f"launch file at '{python_launch_file_path}' does not contain the required function "
            "'generate_launch_description()'")
    return module.generate_launch_description()
