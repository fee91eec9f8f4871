"""Figures of a stream, from its state."""

from collections import Counter

from mb_estimators.stream.intake import Counts
from mb_estimators.stream.stream_state import StreamState
from mb_estimators.watches.lost import LostWatch


class StreamFigures:
    """The figures of an EstimateStream between readings.

    state: its StreamState.
    """

    state: StreamState

    @property
    def counts(self) -> Counts:
        """Counts of the readings."""
        own, run = self.state.intake.counts, self.state.run
        return Counts(own.used + run.used, own.rejected + run.rejected, own.late, own.ignored)

    @property
    def off(self) -> list[str]:
        """Names of the sensors that are switched off."""
        return self.state.intake.switches.off

    @property
    def incredible(self):
        """How many readings of each sensor were not credible, a Counter."""
        return Counter(self.state.run.incredible)

    @property
    def diverged(self) -> str:
        """Why the filter cannot go on, empty if it can."""
        return self.state.run.diverged

    @property
    def lost(self) -> str:
        """Why the last readings, also impossible ones, say that the estimate cannot be right."""
        return LostWatch.of_readings(self.state.run.lost)

    @property
    def left_out(self) -> dict[str, tuple[int, int]]:
        """How many readings of a sensor were left out, and of how many, where any were."""
        run = self.state.run
        return {name: (count, run.came[name]) for name, count in run.left_out.items()}

    @property
    def missing(self) -> int:
        """How many readings of periodic sensors are missing, by the gaps between stamps."""
        return self.state.missing_before + self.state.order.missing

    @property
    def newest(self) -> int | None:
        """The newest stamp of all readings [ns], None before the first."""
        return self.state.order.newest
