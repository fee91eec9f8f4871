"""Check of an argument's type."""
from collections.abc import Iterable


def ensure_argument_type(argument: object, types: type | Iterable[type],
                         argument_name: str, caller: str | None = None) -> None:
    """Raise a TypeError that names argument and caller unless the type is among these."""
    allowed = (types,) if isinstance(types, type) else as_types(types)
    if isinstance(argument, allowed):
        return
    names = ', '.join(f"'{candidate.__name__}'" for candidate in allowed)
    expected = names if len(allowed) == 1 else f'one of [{names}]'
    where = f' in {caller}' if caller else ''
    raise TypeError(f"Expected '{argument_name}'{where} to be of type {expected}, "
                    f"but got '{argument!r}' of type '{type(argument)}'")


def as_types(types) -> tuple[type, ...]:
    """Return an iterable of types as a tuple; a TypeError if it is none."""
    items = tuple(types) if isinstance(types, Iterable) and not isinstance(types, str) else ()
    if not items or not all(isinstance(item, type) for item in items):
        raise TypeError("'ensure_argument_type()' expected 'types' to be of type 'type, "
                        f"collections.abc.Iterable of type', but got {types!r}")
    return items
