"""The state of an estimator: all that its future depends on beside the readings to come."""

from dataclasses import field
from typing import Any

import numpy as np

from mb_estimators.state import copied, state_class
from mb_estimators.stream.history import History
from mb_estimators.stream.intake import IntakeState
from mb_estimators.stream.opening import Opening
from mb_estimators.stream.order_state import OrderState
from mb_estimators.timeline import HeldInputs
from mb_estimators.watches.gating import GateState
from mb_estimators.watches.lost import LostState
from mb_estimators.watches.repeats import RepeatState
from mb_estimators.watches.stuck import DivergenceState, StuckState
from mb_estimators.watches.trust import TrustState
from mb_estimators.watches.turns import TurnState


@state_class
class RunState:
    """The state of a filter between instants, and the notes of its watches.

    filter: the state of the filter itself, None for one that cannot go back; good:
    z, zd (g) of the last good estimate; now: stamp [ns], None before the first instant if that is
    not given; diverged: why the filter cannot go on, or empty; used, rejected: readings;
    unused: instants in a row of which no reading was used; incredible: how often the readings of a
    sensor were; came, left_out: how many of each sensor came to the filter, and were not used;
    opening: of the first instants, None after them.
    """

    filter: Any
    good: tuple[np.ndarray, np.ndarray]
    lost: LostState
    now: int | None = None
    diverged: str = ''
    used: int = 0
    rejected: int = 0
    unused: int = 0
    incredible: dict[str, int] = field(default_factory=dict)
    came: dict[str, int] = field(default_factory=dict)
    left_out: dict[str, int] = field(default_factory=dict)
    gates: GateState = field(default_factory=GateState)
    divergence: DivergenceState = field(default_factory=DivergenceState)
    trust: TrustState = field(default_factory=TrustState)
    stuck: StuckState = field(default_factory=StuckState)
    turns: TurnState = field(default_factory=TurnState)
    repeats: RepeatState = field(default_factory=RepeatState)
    opening: Opening | None = None


@state_class
class StreamState:
    """The state of an EstimateStream, which owns it.

    missing_before: readings that were missing before stamps began anew; history: None for a stream
    that does not go back.
    """

    run: RunState
    order: OrderState
    intake: IntakeState = field(default_factory=IntakeState)
    inputs: HeldInputs = field(default_factory=HeldInputs)
    missing_before: int = 0
    history: History | None = None

    def to_go_on_from(self):
        """Return a copy from which another process continues.

        Waiting readings are not in it: they must come again.  With a history it is the state at
        its beginning: late readings may come for all later instants.
        """
        run, end = self.run, self.order.released
        if self.history:
            run, end = self.history.oldest.after, self.history.oldest.stamp
        intake = IntakeState(self.intake.counts, self.intake.switches)
        return copied(StreamState(run, self.order.ended(end), intake, self.inputs,
                                  self.missing_before))
