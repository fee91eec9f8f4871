"""Parameters, their values and their files, as a launch file describes them."""
import atexit
import os
from pathlib import Path
import tempfile

from launch import Substitution
from launch.frontend.parse_substitution import parse_substitution
from launch.substitutions import SubstitutionFailure
from launch.utilities import (
    ensure_argument_type,
    normalize_to_list_of_substitutions,
    perform_substitutions,
)
from launch.utilities.type_utils import (
    extract_type,
    normalize_typed_substitution,
    perform_typed_substitution,
)
import yaml

STRING_HINT = ('. If it is meant to be a string, wrap it in launch_ros.parameter_descriptions.'
               'ParameterValue(value, value_type=str)')


class ParameterValue:
    """A value, or substitutions that give it; value_type decides how their text is read.

    value_type: int, float, bool, str, List[...] of them, or None for what YAML makes of the text.
    """

    def __init__(self, value, *, value_type=None):
        if value_type is not None:
            extract_type(value_type)        # a ValueError if the type is not supported
        self.__value = value
        self.__value_type = value_type
        self.__evaluated = None

    @property
    def value(self):
        """What evaluate() returned, before that what was given."""
        return self.__value if self.__evaluated is None else self.__evaluated

    @property
    def value_type(self):
        return self.__value_type

    def evaluate(self, context):
        """Return the value; a ValueError if it does not fit the type."""
        value = self.__value
        if isinstance(value, bytes) or (isinstance(value, str)
                                        and self.__value_type in (None, str)):
            self.__evaluated = value
            return value
        try:
            normalized = normalize_typed_substitution(value, self.__value_type)
            self.__evaluated = perform_typed_substitution(context, normalized, self.__value_type)
        except (TypeError, ValueError) as error:
            raise ValueError(f'{error}{STRING_HINT if self.__value_type is None else ""}'
                             ) from error
        return self.__evaluated

    def __str__(self):
        return (f'launch_ros.description.ParameterValue(value={self.value}, '
                f'value_type={self.value_type})')


class Parameter:
    """A name with a value."""

    def __init__(self, name, value, *, value_type=None):
        ensure_argument_type(name, (str, *substitution_types()), 'name', 'Parameter')
        self.__name = normalize_to_list_of_substitutions(name)
        self.__value = value if isinstance(value, ParameterValue) else ParameterValue(
            value, value_type=value_type)
        self.__evaluated_name = None

    @property
    def name(self):
        return self.__name if self.__evaluated_name is None else self.__evaluated_name

    @property
    def value(self):
        return self.__value.value

    @property
    def value_type(self):
        return self.__value.value_type

    def evaluate(self, context):
        """Return (name, value)."""
        self.__evaluated_name = perform_substitutions(context, self.__name)
        return self.__evaluated_name, self.__value.evaluate(context)


def substitution_types():
    """Types a substitution may be given as."""
    return Substitution, list, tuple


class ParameterFile:
    """A YAML file of parameters; with allow_substs, $(substitutions) in it are evaluated."""

    def __init__(self, param_file, *, allow_substs=False):
        ensure_argument_type(param_file, (str, os.PathLike, *substitution_types()),
                             'param_file', 'ParameterFile()')
        ensure_argument_type(allow_substs, (bool, *substitution_types()),
                             'allow_subst', 'ParameterFile()')
        self.__param_file = normalize_to_list_of_substitutions(
            os.fspath(param_file) if isinstance(param_file, os.PathLike) else param_file)
        self.__allow_substs = normalize_typed_substitution(allow_substs, bool)
        self.__evaluated = None

    @property
    def param_file(self):
        return self.__param_file if self.__evaluated is None else self.__evaluated

    @property
    def allow_substs(self):
        return self.__allow_substs

    def evaluate(self, context):
        """Return the path of the file, or of the one in which the substitutions are evaluated."""
        path = Path(perform_substitutions(context, self.__param_file))
        if perform_typed_substitution(context, self.__allow_substs, bool):
            path = self._with_substitutions(context, path)
        self.__evaluated = path
        return path

    def _with_substitutions(self, context, path):
        text = perform_substitutions(context, parse_substitution(path.read_text()))
        try:
            yaml.safe_load(text)
        except yaml.YAMLError as error:
            raise SubstitutionFailure(
                f'The substituted parameter file is not a valid yaml file: {path}: {error}'
            ) from error
        return Path(temporary_yaml(text))


def temporary_yaml(text):
    """Write a text to a file that is removed at the end of this process; return its path."""
    with tempfile.NamedTemporaryFile(
            'w', prefix='launch_params_', suffix='.yaml', delete=False) as file:
        file.write(text)
    atexit.register(Path(file.name).unlink, missing_ok=True)
    return file.name
