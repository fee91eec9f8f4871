"""Check of an argument's type."""
from collections.abc import Iterable


def ensure_argument_type(argument: object, types: type | Iterable[type],
                         argument_name: str, caller: str | None = None) -> None:
    """Raise a TypeError that names argument and caller unless the type is among these."""
    if isinstance(types, (list, tuple, set)):
        allowed = tuple(types)
    elif isinstance(types, type):
        allowed = (types,)
    else:
        raise TypeError(f"expected a type or a list of types, but got '{types}'")
    for candidate in allowed:
        if isinstance(argument, candidate):
            return
    names = ', '.join(f"'{candidate.__name__}'" for candidate in allowed)
    expected = names if len(allowed) == 1 else f'one of [{names}]'
    where = f' in {caller}' if caller else ''
    raise TypeError(f"Expected '{argument_name}'{where} to be of type {expected}, "
                    f"but got '{argument!r}' of type '{type(argument)}'")
