"""Recorded states of a bag: the truth, the model without correction, the live estimate."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import isqrt
from pathlib import Path
from typing import Any

from mb_evaluation.accuracy.track import Track
from mb_model import FreeOrientations, Mechanism
from mb_model.file_api import STATE_TYPE
from mb_sensors import open_bag

TRUTH, MODEL, ESTIMATE = '/prototype/state', '/model_simulation/state', '/{node}/state'


def recorded_tracks(folder: str | Path, mechanism: Mechanism, topics: Mapping[str, str],
                    report: Callable[[str], None]) -> dict[str, Track]:
    """Return {name: Track} of the topics (by name) with states of a mechanism in a bag.

    report: as in open_reader.  Raises OSError, ValueError.
    """
    tracks, orientations = {}, FreeOrientations(mechanism)
    with open_bag(folder, report=report) as bag:
        for name, topic in topics.items():
            if bag.has(topic):
                track = Track(state_samples(bag, mechanism.independent, orientations,
                                       bag.named(topic, STATE_TYPE)), orientations)
                if len(track):
                    tracks[name] = track
    return tracks


def state_samples(bag: Any, independent: Sequence[str], orientations: FreeOrientations,
                  topic: str) -> Iterator[tuple]:
    """Yield the samples of a Track of a topic of a Bag, with forces (g) and their deviations (g).

    These are empty where they are not known.  Raises ValueError for states of another mechanism.
    """
    def sample(state):
        if tuple(state.independent) != tuple(independent):
            raise ValueError(f'{topic}: degrees of freedom {", ".join(state.independent)}, '
                             f'expected {", ".join(independent)}')
        if {len(state.z), len(state.zd), len(state.zdd)} != {len(independent)}:
            raise ValueError(f'{topic}: not {len(independent)} numbers for as many degrees of '
                             'freedom')
        size = isqrt(len(state.covariance))
        return (state.z, state.zd, state.zdd, state.covariance.reshape(size, size),
                orientations.frames(state.q, state.qd, state.qdd), state.generalized_force,
                state.generalized_force_deviation)

    for stamp, row in bag.alike(topic, lambda row: row[3].shape, sample):
        yield stamp, *row
