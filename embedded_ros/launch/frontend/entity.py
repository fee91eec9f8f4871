"""An element of a launch file, whatever its language."""
from typing import Any, Optional


class Entity:
    """Interface which the parsers of XML, YAML, ... offer to the actions."""

    @property
    def type_name(self) -> str:
        """The element's tag."""
        raise NotImplementedError()

    @property
    def parent(self) -> Optional['Entity']:
        raise NotImplementedError()

    @property
    def children(self) -> list['Entity']:
        raise NotImplementedError()

    def assert_entity_completely_parsed(self) -> None:
        """Raise a ValueError if something in the element was not asked for."""
        raise NotImplementedError()

    def get_attr(self, name: str, *, data_type: Any = str, optional: bool = False,
                 can_be_str: bool = True) -> Any:
        """Return an attribute as a value of the type.

        data_type: a type of launch.utilities.type_utils, or list / List[Entity] for the elements of
        this name.  can_be_str: a text that may hold substitutions is also returned as it is.
        Missing: None if optional, else an AttributeError; wrong type: a TypeError.
        """
        raise NotImplementedError()


def wants_entities(data_type: Any) -> bool:
    """Return whether elements are asked for, and no values."""
    if data_type is list:
        return True
    arguments = getattr(data_type, '__args__', ())
    return (getattr(data_type, '__origin__', None) is list
            and bool(arguments) and isinstance(arguments[0], type)
            and issubclass(arguments[0], Entity))
