"""Problems that nodes report of themselves."""

from dataclasses import dataclass, replace
from typing import Any


@dataclass(frozen=True)
class Complaint:
    """A problem that a node reported on /diagnostics, from stamp to stamp [ns]; None: still."""

    node: str
    level: str
    message: str
    begin: int
    end: int | None

    def since(self, start: int) -> dict[str, Any]:
        """Return it for a report, in seconds after a stamp [ns]."""
        end = None if self.end is None else (self.end - start) * 1e-9
        return {'node': self.node, 'level': self.level, 'message': self.message,
                'from': (self.begin - start) * 1e-9, 'to': end}


class Complaints(list):
    """All Complaints of a run, in the order in which they began."""

    def add(self, stamp: int, node: str, level: str, message: str) -> None:
        """Note what a node reports of itself at a stamp [ns].

        level: 'OK', 'WARN', 'ERROR' or 'STALE'; a node that is well ends its complaints.
        """
        open_ones = [k for k, one in enumerate(self) if one.node == node and one.end is None]
        if any(self[k].message == message for k in open_ones):
            return
        for k in open_ones:
            self[k] = replace(self[k], end=stamp)
        if level != 'OK':
            self.append(Complaint(node, level, message, stamp, None))
