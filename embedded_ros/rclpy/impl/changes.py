"""Counts of changes: as long as one stands still, what an executor knows of it holds."""


class Changes:
    """How often something in the process has changed."""

    def __init__(self):
        self.count = 0


entity_changes = Changes()  # of the entities that nodes have
timer_changes = Changes()  # of the times at which timers are due
