"""What a recorder says while its bag cannot be written."""
import time

PERIOD = 5.0        # [s] between two words about messages that are left out


class Complaints:
    """Logs the problems of a writer: once, and when they are over."""

    def __init__(self, writer, logger):
        self._writer, self._logger = writer, logger
        self._problem, self._lost, self._said = '', 0, 0.0

    def look(self):
        """Log what has changed."""
        writer, now = self._writer, time.monotonic()
        if writer.problem and not self._problem:
            self._logger.error(f'The bag cannot be written: {writer.problem}. '
                               'Messages wait in memory.')
        elif self._problem and not writer.problem:
            self._logger.info('The bag is written again.')
        self._problem = writer.problem
        if writer.lost > self._lost and now - self._said > PERIOD:
            self._said, self._lost = now, writer.lost
            self._logger.error(f'{writer.lost} messages were not recorded.')
