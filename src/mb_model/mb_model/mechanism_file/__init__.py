"""Mechanism files: YAML, checked by a schema, read into a description."""
