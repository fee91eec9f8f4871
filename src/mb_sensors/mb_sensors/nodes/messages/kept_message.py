"""What messages of readings share: all but stamp and numbers stays as it is, and is kept."""

from mb_ros.stamps import set_stamp


class KeptMessage:
    """The message of a topic of sensors, filled anew for every instant.

    A type of message says what does not change while readings of the same Sensors come, and where
    their numbers belong.
    """

    def __init__(self, mechanism):
        """Set up for sensors of a mechanism."""
        self._mechanism = mechanism
        self._sensors, self._message, self._places = None, None, ()

    def filled(self, stamp, readings):
        """Return the message of [(Sensor, values (channels))] at a stamp [ns]; until the next."""
        sensors = [sensor for sensor, _ in readings]
        if sensors != self._sensors:
            self._message, self._places = self.made(sensors)
            self._sensors = sensors
        set_stamp(self._message.header.stamp, stamp)
        self.put(self._message, self._places,
                 [value for _, values in readings for value in values])
        return self._message

    def made(self, sensors):
        """Return (message for readings of Sensors, places of their numbers as `put` takes them)."""
        raise NotImplementedError

    def put(self, message, places, values):
        """Write values into a message; here places are (part of the message, field) each."""
        for (part, field), value in zip(places, values, strict=True):
            setattr(part, field, float(value))
