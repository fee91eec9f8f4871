"""Mechanisms and runs as pictures, films and pages."""
