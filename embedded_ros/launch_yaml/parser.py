"""Parser of launch files in YAML."""
import io
import os

from launch import frontend
import yaml

from .entity import Entity


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
