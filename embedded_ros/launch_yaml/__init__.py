"""Launch files in YAML."""
from .entity import Entity
from .parser import Parser

__all__ = ['Entity', 'Parser']
