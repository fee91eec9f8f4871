"""Descriptions of what can be executed."""
from .executable import Executable

__all__ = ['Executable']
