"""Matchers of nodes."""
from .matches_node_name import matches_node_name

__all__ = ['matches_node_name']
