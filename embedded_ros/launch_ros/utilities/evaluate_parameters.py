"""Parameters with all substitutions performed."""
from collections.abc import Mapping

from launch.utilities import ensure_argument_type, perform_substitutions

from ..parameter_descriptions import Parameter, ParameterFile, ParameterValue


def evaluate_parameter_dict(context, parameters):
    """Return {name: value} of what normalize_parameter_dict() returned."""
    if not isinstance(parameters, Mapping):
        raise TypeError('expected dict')
    evaluated = {}
    for name, value in parameters.items():
        ensure_argument_type(name, tuple, 'parameter name')
        text = perform_substitutions(context, name)
        if not isinstance(value, ParameterValue):
            raise TypeError(f"expected a ParameterValue for '{text}', got '{type(value)}'")
        try:
            evaluated[text] = value.evaluate(context)
        except (TypeError, ValueError) as error:
            raise type(error)(f"Parameter '{text}': {error}") from error
    return evaluated


def evaluate_parameters(context, parameters):
    """Return paths of files, dicts {name: value}, and evaluated Parameters."""
    evaluated = []
    for item in parameters:
        if isinstance(item, ParameterFile):
            evaluated.append(item.evaluate(context))
        elif isinstance(item, Mapping):
            evaluated.append(evaluate_parameter_dict(context, item))
        elif isinstance(item, Parameter):
            item.evaluate(context)
            evaluated.append(item)
        else:
            raise TypeError(f"unexpected parameter of type '{type(item)}'")
    return tuple(evaluated)
