"""Launches as fixtures of pytest."""
from . import actions, tools
from .fixture import fixture

__all__ = ['actions', 'fixture', 'tools']
