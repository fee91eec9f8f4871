"""Check parameter names."""
from rclpy.exceptions import InvalidParameterException


def validate_parameter_name(name: str) -> bool:
    """Return True, or raise TypeError (no string) or InvalidParameterException (empty)."""
    if not isinstance(name, str):
        raise TypeError(f'Parameter name must be a string, got {name!r}')
    if not name:
        raise InvalidParameterException(name)
    return True
