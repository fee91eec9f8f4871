"""Markers of a mechanism: bodies, forces, contacts, status; one kind in each file."""
