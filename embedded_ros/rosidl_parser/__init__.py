"""Descriptions of interface types, as far as message classes show them."""
