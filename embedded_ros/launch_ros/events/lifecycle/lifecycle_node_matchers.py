"""Managed nodes by their name."""
from ..matchers import matches_node_name

__all__ = ['matches_node_name']
