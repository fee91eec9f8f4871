"""Parser of launch files in XML."""
import io
import xml.etree.ElementTree as ElementTree

from launch import frontend

from .entity import Entity


class Parser(frontend.Parser):
    """Reads <launch> ... </launch>."""

    @classmethod
    def load(cls, file: str | io.TextIOBase) -> tuple[Entity, 'Parser']:
        """Return (root element, parser) of an open file or a path."""
        return Entity(ElementTree.parse(file).getroot()), cls

    @classmethod
    def get_file_extensions(cls) -> set[str]:
        return {'xml'}
