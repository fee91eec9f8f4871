"""Values in dicts of parameters."""
from launch.utilities import perform_substitutions
from launch.utilities.type_utils import is_normalized_substitution, is_one_type
import yaml

from ..parameter_descriptions import STRING_HINT, ParameterValue

SCALARS = (bool, int, float, str, bytes)
UNIFORM = ('Expected a non-empty sequence, with items of uniform type. '
           'Allowed sequence item types are bool, int, float, str.')
ALLOWED = ('Allowed value types are bytes, bool, int, float, str, Sequence[bool], Sequence[int], '
           'Sequence[float], Sequence[str]')


class PlainValue(ParameterValue):
    """A value without a given type: what substitutions yield is read as YAML."""

    def __init__(self, value):
        super().__init__(value)
        self.__given = value

    def evaluate(self, context):
        """Return a scalar, or a tuple of scalars of one type; a TypeError if it is neither."""
        value = self.__given
        if is_normalized_substitution(value):
            value = from_yaml(perform_substitutions(context, value))
        elif isinstance(value, list):
            value = [from_yaml(perform_substitutions(context, item))
                     if is_normalized_substitution(item) else item for item in value]
        if isinstance(value, list):
            if not value or not is_one_type(value):
                raise TypeError(UNIFORM)
            return tuple(value)
        if type(value) not in SCALARS:
            raise TypeError(f'{ALLOWED}. Got {type(value)}{STRING_HINT}')
        return value


def from_yaml(text):
    """Return what YAML makes of a text; a TypeError if it is no YAML."""
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise TypeError(f"Unable to parse the value '{text}' as yaml{STRING_HINT}") from error
