"""Errors of sensors, in the words of the user."""


class SensorError(ValueError):
    """A sensor that does not exist or is described wrongly; the text says what is expected."""
