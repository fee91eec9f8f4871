"""Launch files in XML."""
import io
from typing import Any
import xml.etree.ElementTree as ElementTree

from launch import frontend
from launch.utilities.type_utils import get_typed_value


class Entity:
    """An XML element; its attributes and its child elements can be asked for."""

    def __init__(self, xml_element: ElementTree.Element) -> None:
        self.__element = xml_element
        self.__children_read = False
        self.__attributes_read = set()
        self.__tags_read = set()

    @property
    def type_name(self) -> str:
        return self.__element.tag

    @property
    def children(self) -> list['Entity']:
        self.__children_read = True
        return [Entity(child) for child in self.__element]

    def assert_entity_completely_parsed(self) -> None:
        unread = set(self.__element.attrib) - self.__attributes_read
        if unread:
            raise ValueError(
                f'Unexpected attribute(s) found in `{self.type_name}`: {quoted(unread)}')
        nested = {child.tag for child in self.__element} - self.__tags_read
        if nested and not self.__children_read:
            raise ValueError(
                f'Unexpected nested entity(ies) found in `{self.type_name}`: {quoted(nested)}')

    def get_attr(self, name: str, *, data_type: Any = str, optional: bool = False,
                 can_be_str: bool = True) -> Any:
        """Return an attribute as a value of the type.

        data_type: a type of launch.utilities.type_utils, or list for the elements of this name.
        can_be_str: a text that may hold substitutions is also returned as it is.
        Missing: None if optional, else an AttributeError; wrong type: a TypeError.
        """
        if data_type is list:
            return self._elements(name, optional)
        if name not in self.__element.attrib:
            if optional:
                return None
            raise AttributeError(f'Attribute {name} not found in Entity {self.type_name}')
        self.__attributes_read.add(name)
        value: Any = self.__element.attrib[name]
        separator = self.__element.attrib.get(name + '-sep')
        if separator is not None:
            self.__attributes_read.add(name + '-sep')
            value = value.split(separator)
        return self._typed(name, value, data_type, can_be_str)

    def _typed(self, name: str, value: Any, data_type: Any, can_be_str: bool) -> Any:
        try:
            return get_typed_value(value, data_type, can_be_str)
        except (TypeError, ValueError) as error:
            raise TypeError(f"Attribute '{name}' of Entity '{self.type_name}' expected to be of "
                            f"type '{data_type}', got `{value}`") from error

    def _elements(self, name: str, optional: bool) -> list['Entity'] | None:
        self.__tags_read.add(name)
        found = [Entity(child) for child in self.__element if child.tag == name]
        if found:
            return found
        if optional:
            return None
        raise AttributeError(f'Attribute {name} not found in Entity {self.type_name}')


def quoted(names) -> str:
    return ', '.join(f'`{name}`' for name in sorted(names))


class Parser(frontend.Parser):
    """Reads <launch> ... </launch>."""

    @classmethod
    def load(cls, file: str | io.TextIOBase) -> tuple[Entity, 'Parser']:
        """Return (root element, parser) of an open file or a path."""
        return Entity(ElementTree.parse(file).getroot()), cls

    @classmethod
    def get_file_extensions(cls) -> set[str]:
        return {'xml'}
