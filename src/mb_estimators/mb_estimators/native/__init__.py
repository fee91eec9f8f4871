"""Filters as C libraries."""
