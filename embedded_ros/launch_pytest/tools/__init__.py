"""Waiting for processes."""
from . import process

__all__ = ['process']
