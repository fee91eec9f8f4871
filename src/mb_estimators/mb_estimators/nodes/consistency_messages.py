"""Messages of the consistency of a filter."""

from mb_interfaces.msg import SensorConsistency


class ConsistencyMessages:
    """The messages of a ConsistencyWindow, made anew only with its judgement."""

    def __init__(self, window):
        self._window = window
        self._judgement, self._messages = None, []

    def latest(self):
        """Return a SensorConsistency message of every sensor."""
        if self._judgement is not self._window.judgement:
            self._judgement = self._window.judgement
            self._messages = [_message(figures) for figures in self._judgement]
        nis = self._window.nis
        for message in self._messages:
            message.nis = nis[message.sensor]
        return self._messages


def _message(figures):
    """Return the message of a SensorConsistency of the library."""
    return SensorConsistency(
        sensor=figures.sensor, count=figures.count, mean_nis=figures.nis,
        mean_nis_bound=figures.nis_bound, lasting=figures.lasting,
        lasting_bound=figures.lasting_bound, lasting_length=figures.lasting_length,
        offset=figures.offset, incredible=figures.incredible,
        consistent=figures.is_consistent, verdict=figures.verdict, remark=figures.remark)
