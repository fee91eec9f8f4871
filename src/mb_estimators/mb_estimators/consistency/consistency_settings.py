"""How the consistency of a running filter is judged: the one home of these values."""

from dataclasses import dataclass

from mb_model import Settings, setting


@dataclass(frozen=True)
class ConsistencySettings(Settings):
    """The judgement of a running filter by its innovations."""

    window: float = setting(
        2.0, unit='s', above=0.0, at_most=600.0,
        help='Innovations within this time are judged together')
    period: float = setting(
        1.0, unit='s', at_least=0.001, help='Time from one judgement to the next, by stamps')
    level: float = setting(
        0.9999, above=0.5, at_most=0.999999,
        help='Probability with which a consistent filter passes a judgement of one sensor')
