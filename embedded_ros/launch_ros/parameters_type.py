"""Types of the parameters of a node."""
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from launch.some_substitutions_type import SomeSubstitutionsType

SomeParameterFile = SomeSubstitutionsType | Path
SomeParametersDict = Mapping[SomeSubstitutionsType, Any]
SomeParameters = Sequence[SomeParameterFile | SomeParametersDict | Any]
EvaluatedParameterValue = str | int | float | bool | list | bytes
