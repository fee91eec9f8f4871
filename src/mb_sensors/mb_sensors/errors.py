"""What is wrong with a sensor, in the words of the user."""


class SensorError(ValueError):
    """A sensor that does not exist or is described wrongly; the text says what is expected."""
