"""Texts which are known when the launch runs."""
from ros_tools import missing_in

from .logic import (
    AndSubstitution,
    EqualsSubstitution,
    IfElseSubstitution,
    NotSubstitution,
    OrSubstitution,
)
from .programs import Command, FindExecutable, PythonExpression
from .values import (
    EnvironmentVariable,
    LaunchConfiguration,
    PathJoinSubstitution,
    SubstitutionFailure,
    TextSubstitution,
    ThisLaunchFileDir,
)

__all__ = [
    'AndSubstitution', 'Command', 'EnvironmentVariable', 'EqualsSubstitution', 'FindExecutable',
    'IfElseSubstitution', 'LaunchConfiguration', 'NotSubstitution', 'OrSubstitution',
    'PathJoinSubstitution', 'PythonExpression', 'SubstitutionFailure', 'TextSubstitution',
    'ThisLaunchFileDir',
]

__getattr__ = missing_in(__name__)
