"""Contacts of a run, one after the other: when each began, what was touched, how it was detected.

A contact lasts while some force acts, interruptions up to PAUSE included: a body that bounces and
comes back makes one contact.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mb_contact import LONGEST_TRANSIENT
from mb_evaluation.run_log.contact_log import ContactLog
from mb_model import Mechanism
from mb_simulation.prototypes.obstacle import Contact, force_on_z

PAUSE = 0.1         # s
AT_FIRST = 0.02     # bodies that are touched so soon belong to the contact [s]
CLAMPED, HIT, HELD, UNCLEAR = 'clamped', 'hit', 'held', 'unclear'      # kinds of contacts


@dataclass(frozen=True)
class Episode:
    """A true contact: its bodies, and the forces on them, which are zero where it pauses.

    stamps (k) [ns]: all states from the first force to the last.
    """

    stamps: np.ndarray
    kind: str                   # CLAMPED, HIT, HELD or UNCLEAR
    bodies: tuple[str, ...]     # touched at first, in the order of their names
    force: np.ndarray           # the greatest of one body at each instant (k) [N]
    projected: np.ndarray       # of all of them, on the degrees of freedom (k, g) [N or N m]
    point: np.ndarray           # of the first force (d) [m]

    @property
    def begin(self) -> int:
        """Stamp of the first force [ns]."""
        return int(self.stamps[0])

    @property
    def end(self) -> int:
        """Stamp of the last force [ns]."""
        return int(self.stamps[-1])


def episodes(run: ContactLog, mechanism: Mechanism) -> list[Episode]:
    """Return the Episodes of a ContactLog with a mechanism, as far as they are before its end.

    The bag of a run that was interrupted has states after the last one that is judged.
    """
    every = run.truth.stamps
    every = every[every <= run.end]
    touched = every[[bool(run.contacts.get(stamp)) for stamp in every.tolist()]]
    if not touched.size:
        return []
    cuts = np.flatnonzero(np.diff(touched) > PAUSE * 1e9) + 1
    return [_episode(run, mechanism, every[(every >= part[0]) & (every <= part[-1])], every[-1])
            for part in np.split(touched, cuts)]


def _episode(run: ContactLog, mechanism: Mechanism, stamps: np.ndarray, last: int):
    """Return the Episode at stamps (k) [ns]; last: stamp of the last state that is judged [ns]."""
    touched = [run.contacts.get(stamp, ()) for stamp in stamps.tolist()]
    positions = run.truth.columns(stamps)[3]
    projected = [force_on_z(mechanism, q, contacts)
                 for q, contacts in zip(positions, touched, strict=True)]
    first = int((stamps <= stamps[0] + AT_FIRST * 1e9).sum())
    bodies = sorted({one.body for contacts in touched[:first] for one in contacts})
    force = [max((np.linalg.norm(one.force) for one in contacts), default=0.0)
             for contacts in touched]
    kind = _kind(stamps, touched, last)
    return Episode(stamps, kind, tuple(bodies), np.array(force), np.array(projected),
                   np.array(touched[0][0].point))


def _kind(stamps: np.ndarray, touched: Sequence[Sequence[Contact]], last: int):
    """Return the kind of a contact, of which these Contacts are touched at its stamps (k) [ns].

    A contact is clamped if two bodies push against each other, and held if one body pushes for
    long, as it cannot give way.  It is unclear with more bodies that do neither, and if it lasts
    at the last state of the run, as its duration is unknown.
    """
    if any(_push_together(contacts) for contacts in touched):
        return CLAMPED
    if len({one.body for contacts in touched for one in contacts}) > 1:
        return UNCLEAR
    if stamps[-1] - stamps[0] > 1e9 * LONGEST_TRANSIENT:
        return HELD
    return UNCLEAR if stamps[-1] == last else HIT


def _push_together(contacts: Sequence[Contact]):
    """Return whether forces on two different bodies act against each other."""
    return any(np.dot(one.force, other.force) < 0.0 for k, one in enumerate(contacts)
               for other in contacts[:k] if one.body != other.body)


def longest_beyond(stamps: np.ndarray, forces: np.ndarray, thresholds: np.ndarray) -> float | None:
    """Return for how long forces (k, g) at stamps (k) [ns] are beyond thresholds at a stretch [s].

    Of one degree of freedom, between the first and the last stamp beyond; 0.0 for one alone, None
    if none is.  stamps: of all states, as those beside one left out would count as one stretch.
    """
    longest = None
    for beyond in (np.abs(forces) > thresholds).T:
        rows = np.flatnonzero(beyond)
        for part in np.split(rows, np.flatnonzero(np.diff(rows) > 1) + 1):
            if part.size:
                longest = max(longest or 0.0, 1e-9 * (stamps[part[-1]] - stamps[part[0]]))
    return longest


def true_forces(run: ContactLog, contacts: Sequence[Episode]) -> tuple[np.ndarray, np.ndarray]:
    """Return (stamps (k) [ns], forces (k, g)) of Episodes: zero without a contact."""
    stamps = run.truth.stamps
    forces = np.zeros((len(stamps), len(run.layout.independent)))
    for episode in contacts:
        forces[np.searchsorted(stamps, episode.stamps)] = episode.projected
    return stamps, forces


def strongest(episode: Episode, figures: dict[str, Any]) -> int:
    """Return the number of the degree of freedom that an Episode shows on best.

    figures: of it, in the report; forces are compared with their thresholds.
    """
    share = np.abs(episode.projected).max(axis=0)
    thresholds = next((one['threshold'] for one in figures['methods'].values() if one['threshold']),
                      np.ones_like(share))
    return int(np.argmax(share / np.array(thresholds)))


def first_beyond(stamps: np.ndarray, forces: np.ndarray, thresholds: np.ndarray) -> int | None:
    """Return the first stamp (k) at which some force (k, g) is beyond its threshold, or None."""
    beyond = (np.abs(forces) > thresholds).any(axis=1)
    return int(stamps[beyond.argmax()]) if beyond.any() else None
