"""Panels of curves over an axis, described once for pictures and pages."""
