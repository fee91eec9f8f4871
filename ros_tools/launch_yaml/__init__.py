"""Launch files in YAML."""
import io
import os
from typing import Any

from launch import frontend
from launch.utilities.type_utils import get_typed_value, is_instance_of
import yaml


class Entity:
    """A YAML node: a dict of attributes, or a list of child elements."""

    def __init__(self, element: Any, type_name: str | None = None) -> None:
        self.__element = element
        self.__type_name = type_name
        self.__read = set()
        self.__children_read = False

    @property
    def type_name(self) -> str | None:
        return self.__type_name

    @property
    def children(self) -> list['Entity']:
        items = self.__element
        if isinstance(items, dict):
            if 'children' not in items:
                raise ValueError(
                    f'Expected entity `{self.__type_name}` to have children entities. '
                    'That can be a list of subentities or a dictionary with a `children` list')
            self.__read.add('children')
            items = items['children']
        self.__children_read = True
        if not isinstance(items, list):
            raise TypeError(f'The children of `{self.__type_name}` must be a list')
        entities = []
        for item in items:
            if not isinstance(item, dict) or len(item) != 1:
                raise RuntimeError('Subentities must be a dictionary with only one key, which is '
                                   f'the entity type; got {item!r} in `{self.__type_name}`')
            type_name, content = next(iter(item.items()))
            entities.append(Entity(content, type_name))
        return entities

    def assert_entity_completely_parsed(self) -> None:
        if isinstance(self.__element, list):
            if not self.__children_read:
                raise ValueError(f'Unexpected nested entity(ies) found in `{self.__type_name}`: '
                                 f'{self.__element}')
            return
        if not isinstance(self.__element, dict):
            return
        unread = set(self.__element) - self.__read
        if unread:
            raise ValueError(
                f'Unexpected key(s) found in `{self.__type_name}`: {unread}')

    def get_attr(self, name: str, *, data_type: Any = str, optional: bool = False,
                 can_be_str: bool = True) -> Any:
        """Return an attribute as a value of the type, as an element in XML does."""
        if not isinstance(self.__element, dict) or name not in self.__element:
            if optional:
                return None
            raise AttributeError(f"Can not find attribute '{name}' in Entity '{self.type_name}'")
        self.__read.add(name)
        value = self.__element[name]
        if data_type is list:
            if isinstance(value, list) and all(isinstance(item, dict) for item in value):
                return [Entity(item, name) for item in value]
            raise self._wrong_type(name, value, 'list of dictionaries')
        if data_type is float and type(value) is int:
            value = float(value)
        if data_type is None:
            return value
        if isinstance(value, str) and data_type is not str and not can_be_str:
            return self._from_text(name, value, data_type)
        if not is_instance_of(value, data_type, can_be_str=can_be_str):
            raise self._wrong_type(name, value, data_type)
        return value

    def _from_text(self, name: str, value: str, data_type: Any) -> Any:
        try:
            return get_typed_value(value, data_type)
        except ValueError:
            raise self._wrong_type(name, value, data_type) from None

    def _wrong_type(self, name: str, value: Any, expected: Any) -> TypeError:
        return TypeError(f"Attribute '{name}' of Entity '{self.type_name}' expected to be of type "
                         f"'{expected}', got `{value!r}`")


class Parser(frontend.Parser):
    """Reads a YAML document with the one key `launch`."""

    @classmethod
    def load(cls, file: str | io.TextIOBase) -> tuple[Entity, 'Parser']:
        """Return (root element, parser) of an open file or a path."""
        if isinstance(file, (str, os.PathLike)):
            with open(file) as stream:
                return cls.load(stream)
        tree = yaml.safe_load(file)
        if not isinstance(tree, dict):
            raise RuntimeError('Expected a dict as root of the launch file')
        if len(tree) != 1:
            raise RuntimeError('Expected only one root in the launch file')
        type_name, content = next(iter(tree.items()))
        return Entity(content, type_name), cls

    @classmethod
    def get_file_extensions(cls) -> set[str]:
        return {'yaml', 'yml'}
