"""A recorded motion as one graph, without unknown forces."""

from typing import NamedTuple

import gtsam
import numpy as np


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


def motion_graph(guess, whole, readings, settings, parameters=None, keys=()):
    """Return the WholeMotion of a mechanism: z, zd and biases at each instant of a Whole.

    guess: the smoother that has passed over the recording and whose Whole this is; readings: place
    of an instant -> its readings (channels); settings: LossSettings, with acceleration_psd;
    parameters: Parameters that are to be found, with `keys` of their node, which is not added.
    """
    g, instants = guess.mechanism.g, whole.instants
    factors, node = guess.graph_of_parameters(settings, parameters)
    noises = (np.full(g, settings.acceleration_psd), None, guess.bias_growth)
    values, steps, read = gtsam.Values(), [], []
    for k, instant in enumerate(instants):
        known = guess.node.parts(whole.values.atVector(instant.key))
        values.insert(instant.key, np.concatenate([known[block.name] for block in node.blocks]))
        near = instant.position
        if k > 0:
            last = instants[k - 1]
            steps.append(factors.step(
                (last.key, instant.key, *keys), instant.time - last.time, instant.before,
                np.array([last.position, near]), np.zeros((g, g)), noises))
        if k in readings:
            read += factors.readings((instant.key, *keys), readings[k], instant.inputs,
                                     near[np.newaxis])
    start, known = np.zeros(node.size), guess.node.parts(whole.start)
    for name in ('position', 'velocity'):
        start[node[name]] = known[name]
    prior = factors.prior(instants[0].key, start)
    graph = gtsam.NonlinearFactorGraph()
    for factor in (prior, *steps, *read):
        graph.add(factor)
    return WholeMotion(graph, values, prior, steps, read)
