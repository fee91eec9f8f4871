"""Results of a stream: an estimate and how its readings fitted."""

from typing import NamedTuple

from mb_estimators.filter import Estimate, Innovation


class LateReading(NamedTuple):
    """A late reading: its sensor, its stamp [ns], and how all readings of that stamp fitted."""

    sensor: str
    stamp: int
    innovation: Innovation


class Step(NamedTuple):
    """An estimate at a stamp [ns], how its readings fitted, and the time it took to make [s].

    distrust: why the estimate is not to be trusted, in words; empty if it is; lost: why it cannot
    be right, see LostWatch, which distrust says too.  late: None for the first estimate of an
    instant; for another one, after the filter went back and on, the readings that made it do so,
    with the first of several.
    """

    stamp: int
    estimate: Estimate
    innovation: Innovation
    step_time: float
    distrust: str = ''
    lost: str = ''
    late: tuple[LateReading, ...] | None = None
