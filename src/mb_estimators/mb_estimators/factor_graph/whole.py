"""A recorded motion as one graph, by which it is smoothed or its branch is found."""

from contextlib import suppress
from typing import Any, NamedTuple

import gtsam
import numpy as np

from mb_estimators.factor_graph.batch import MostLikely, solve
from mb_estimators.factor_graph.covariances import Covariances
from mb_estimators.filter import ImpossibleReadingError
from mb_estimators.timeline import HeldInputs, predict_between
from mb_model.arrays import FloatArray
from mb_model.command_api import with_progress


def pass_over(smoother, recording, dt: float, progress: bool = False, each=lambda: None):
    """Let the window of a MotionWindow pass over a Recording, which begins at the present.

    dt: longest step of the model [s]; progress: say on stderr how far it is; each: called at
    every stamp.  Returns the Whole, and index of the instant in it -> its readings (channels).
    """
    whole, read = smoother.keep_all(), {}
    inputs, stamps = recording.inputs or HeldInputs(), recording.stamps.tolist()
    for k in with_progress(len(stamps), 'readings', progress):
        if k > 0:
            predict_between(smoother, stamps[k - 1], stamps[k], dt, inputs)
        with suppress(ImpossibleReadingError):
            smoother.correct(recording.readings[k])
        each()
        read[len(whole.instants) - 1] = recording.readings[k]
    return whole, read


def smooth_whole(smoother, recording, dt: float, iterations: int, progress: bool = False):
    """Return the Estimates at the stamps of a Recording: as of a filter, and by all readings.

    The window passes over the recording as in pass_over; then the whole graph is solved from there.
    iterations: of that, the most.  Raises NotConvergedError where it needs more, DivergenceError.
    """
    passed = []
    (graph, values, instants, _), read = pass_over(
        smoother, recording, dt, progress, lambda: passed.append(smoother.estimate))
    solved = solve(MostLikely(graph, instant_names(instants)), values, iterations).values
    covariances = Covariances(graph, solved)
    return passed, [smoother.estimate_of(instants[index], solved.atVector(instants[index].key),
                                         covariances.of(instants[index].key))
                    for index in read]


def instant_names(instants):
    """Return key of each Instant -> when it is, as text."""
    return {instant.key: f't = {instant.time:.6g} s' for instant in instants}


class WholeMotion(NamedTuple):
    """The graph of a recorded motion.

    prior: the factor of the start; steps: factors between instants; readings: factors of readings.
    values: where a smoother has the motion.
    """

    graph: gtsam.NonlinearFactorGraph
    values: gtsam.Values
    prior: gtsam.NonlinearFactor
    steps: list
    readings: list


def motion_graph(guess, whole, readings: FloatArray, settings: Any):
    """Return the WholeMotion of a mechanism: z, zd and biases at each instant of a Whole.

    guess: the smoother that has passed over the recording and whose Whole this is; readings: index
    of an instant -> its readings (channels); settings: LossSettings, with acceleration_psd.
    """
    g, instants = guess.mechanism.g, whole.instants
    factors, node = guess.graph_without_forces(settings)
    noises = (np.full(g, settings.acceleration_psd), None, guess.bias_growth)
    values, steps, read = gtsam.Values(), [], []
    for k, instant in enumerate(instants):
        known = guess.node.parts(whole.values.atVector(instant.key))
        values.insert(instant.key, np.concatenate([known[block.name] for block in node.blocks]))
        near = instant.position
        if k > 0:
            last = instants[k - 1]
            steps.append(factors.step(
                (last.key, instant.key), last.time, instant.time - last.time, instant.before,
                np.array([last.position, near]), np.zeros((g, g)), noises))
        if k in readings:
            read += factors.readings((instant.key,), instant.time, readings[k],
                                     instant.inputs, near[np.newaxis])
    start, known = np.zeros(node.size), guess.node.parts(whole.start)
    for name in ('position', 'velocity'):
        start[node[name]] = known[name]
    prior = factors.prior(instants[0].key, start)
    graph = gtsam.NonlinearFactorGraph()
    for factor in (prior, *steps, *read):
        graph.add(factor)
    return WholeMotion(graph, values, prior, steps, read)
