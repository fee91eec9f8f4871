"""Noticing that stamps begin anew, as when a bag is played again."""

_ENOUGH = 10        # in a row


class StampsAgain:
    """Tells when stamps have gone back for good: ten in a row, in order, far behind the newest."""

    def __init__(self, gap):
        """Set up; gap [s]: what is less far behind is late."""
        self._gap = round(1e9 * gap)
        self._newest, self._row, self._last = None, 0, None

    def has_begun(self, stamp):
        """Take in a stamp [ns]; tell whether stamps have begun anew, of which this is the tenth."""
        if self._newest is None or stamp >= self._newest - self._gap:
            self._newest, self._row = max(stamp, self._newest or 0), 0
            return False
        self._row = self._row + 1 if self._row and stamp > self._last else 1
        self._last = stamp
        if self._row < _ENOUGH:
            return False
        self._newest, self._row = stamp, 0
        return True
