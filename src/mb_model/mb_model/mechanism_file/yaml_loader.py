"""YAML of mechanism files, read without a word of what is in them in its errors."""

import re
from typing import Any

import yaml

# What pyyaml quotes but for its own terms, such as '<stream end>', and single characters.
_QUOTED = re.compile(r"""(['"])(?!<[a-z ]+>\1|.\1|\\.\1).*?\1""")


class NotYamlError(ValueError):
    """A text that is no YAML; the error says where, and quotes nothing of it."""


class _Loader(yaml.SafeLoader):
    """Notes the same key twice in one mapping, where YAML keeps the last in silence."""

    twice = ''      # the first such key, with its line

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
        seen = set()
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=True)
            try:
                if key in seen and not self.twice:
                    self.twice = (f'{_at(key_node.start_mark)}the key {key!r} is there twice'
                                  f'{_hint(key)}')
                seen.add(key)
            except TypeError:
                raise yaml.constructor.ConstructorError(
                    None, None, 'found a key that is no scalar', key_node.start_mark) from None
        return super().construct_mapping(node, deep=deep)

    def construct_object(self, node: Any, deep: bool = False) -> Any:
        try:
            return super().construct_object(node, deep)
        except (ValueError, TypeError, ArithmeticError, AttributeError, LookupError):
            # as of a date with 99 days
            raise yaml.constructor.ConstructorError(
                None, None, 'found a value that cannot be read', node.start_mark) from None


def load_yaml(text: str) -> tuple[Any, str]:
    """Return (value, words) of a text; words: about a key that is there twice, if one is.

    Raises NotYamlError.
    """
    loader = None
    try:
        loader = _Loader(text)
        return loader.get_single_data(), loader.twice
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = _QUOTED.sub('...', error.problem or error.context)
        raise NotYamlError(_at(mark) + problem) from None
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise NotYamlError(f'not readable as YAML ({_KINDS.get(type(error), "its characters")})'
                      ) from None
    finally:
        if loader is not None:
            loader.dispose()


_KINDS: dict[type, str] = {RecursionError: 'nested too deeply'}


def _hint(key: Any) -> str:
    """Return what helps where a key is the end of an expression."""
    cut = isinstance(key, str) and key.count(')') > key.count('(')
    return ': in braces, expressions with a comma need quotes' if cut else ''


def _at(mark: Any) -> str:
    return f'line {mark.line + 1}, column {mark.column + 1}: ' if mark else ''
