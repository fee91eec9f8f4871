"""Thresholds from a motion without contacts: its largest forces, times a factor."""

from typing import NamedTuple

import numpy as np

from mb_contact.arguments import ContactError


class Largest(NamedTuple):
    """The largest sizes of a force (g) [N or N m] and the stamps at which they were (g) [ns]."""

    force: np.ndarray
    stamps: np.ndarray


def largest_forces(stamps, force):
    """Return {method: Largest} of forces {method: (k, g)} at stamps (k), NaN where there is none.

    Raises ContactError for a method without forces.
    """
    found = {}
    for method, forces in force.items():
        known = np.isfinite(forces).all(axis=1)
        if not known.any():
            raise ContactError(f'{method}: no state gives a force')
        rows = np.argmax(np.abs(forces[known]), axis=0)
        found[method] = Largest(np.abs(forces[known])[rows, np.arange(len(rows))],
                                np.asarray(stamps)[known][rows])
    return found


def contact_free_thresholds(track, factor=2.0):
    """Return thresholds {method: (g)} by the ContactTrack of a motion without contacts.

    Source: Mohammad et al. 2025, Sec. V, where the factor is 2.
    """
    return {method: factor * largest.force
            for method, largest in largest_forces(track.stamps, track.force).items()}
