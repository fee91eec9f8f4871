"""The forward pass: a filter runs over a recording, with a record for the smoother."""

from contextlib import suppress
from dataclasses import dataclass, field

import numpy as np

from mb_estimators.filter import ImpossibleReadingError, Referring
from mb_estimators.timeline import HeldInputs, arrive, steps_between
from mb_model.command_api import with_progress


@dataclass
class Passage:
    """The record of a filter's pass, in m points with a prediction between every two.

    Lists: estimates, covariances of the states (l, l) and corrections (l) after the readings of
    each point; predicted covariances and cross-covariances (l, l) of each prediction.  instants:
    which points are the stamps of the recording.
    """

    estimates: list = field(default_factory=list)
    covariances: list = field(default_factory=list)
    corrections: list = field(default_factory=list)
    predicted: list = field(default_factory=list)
    crossed: list = field(default_factory=list)
    instants: list = field(default_factory=list)


def pass_forward(filter_, recording, dt, progress=False):
    """Run a Smoothable filter, at its start, over a Recording; return the Passage.

    dt: longest step of the model [s]; progress: show a bar, if there is a terminal.
    Raises DivergenceError.
    """
    passage = Passage()
    inputs, stamps = recording.inputs or HeldInputs(), recording.stamps.tolist()
    for k in with_progress(len(stamps), 'readings', progress):
        if k > 0:
            for step, mean in steps_between(stamps[k - 1], stamps[k], dt, inputs):
                _predict(filter_, passage, step, mean)
        arrive(filter_, stamps[k], inputs)
        correction = np.zeros(len(filter_.state_covariance))
        with suppress(ImpossibleReadingError):
            filter_.correct(recording.readings[k])
            correction = filter_.correction
            if isinstance(filter_, Referring):
                _refer(passage, filter_.reference_change)
        passage.instants.append(len(passage.estimates))
        _keep(filter_, passage, correction)
    return passage


def _predict(filter_, passage, step, inputs):
    """Predict over a step [s]; between steps there are points without readings."""
    if len(passage.predicted) == len(passage.estimates):
        _keep(filter_, passage, np.zeros(len(passage.corrections[-1])))
    filter_.predict(step, inputs)
    passage.predicted.append(filter_.state_covariance)
    passage.crossed.append(filter_.cross_covariance(passage.covariances[-1], step))


def _refer(passage, change):
    """Let the last prediction be as seen from references that have moved since; None: none has."""
    if change is not None and passage.predicted:
        passage.predicted[-1] = change @ passage.predicted[-1] @ change.T
        passage.crossed[-1] = passage.crossed[-1] @ change.T


def _keep(filter_, passage, correction):
    """Add a point to a Passage."""
    passage.estimates.append(filter_.estimate)
    passage.covariances.append(filter_.state_covariance)
    passage.corrections.append(correction)
