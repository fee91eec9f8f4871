"""The interface of problems: a graph, and when it counts as solved."""

from abc import ABC, abstractmethod
from typing import NamedTuple

import gtsam
import numpy as np


class Iterate(NamedTuple):
    """Nodes of a graph, their error, the graph linearised there, and the full Gauss-Newton step."""

    values: gtsam.Values
    error: float
    linear: gtsam.GaussianFactorGraph
    step: gtsam.VectorValues

    @property
    def gain(self):
        """By how much the full step would lower the error, were the graph linear."""
        return gain(self.linear, self.step)


def gain(linear, step):
    """Return by how much a step lowers the error of a linear graph or factor."""
    return max(0.0, linear.error(gtsam.VectorValues.Zero(step)) - linear.error(step))


class Problem(ABC):
    """A graph to be solved."""

    def __init__(self, graph):
        """Set up with a NonlinearFactorGraph."""
        self.graph = graph

    @abstractmethod
    def length(self, at):
        """Return the length of the step of an Iterate, over that with which it counts as solved."""

    @abstractmethod
    def remaining(self, at):
        """Return, as text, what the step of an Iterate still changes most, and where."""


_LEFT = 1e-3              # standard deviations that a solution may be off
_ROUNDING = 1e-14         # of the error of a graph, as a share of it


class MostLikely(Problem):
    """A graph with weights from noises.

    The length of a full step is in standard deviations, sqrt(step' H step) with the inverse H of
    the covariance of all nodes: no variable changes by more of its standard deviations.
    """

    def __init__(self, graph, names):
        """Set up; names: key of a node -> text that says which it is."""
        super().__init__(graph)
        self._names = names

    def length(self, at):
        """See Problem."""
        return np.sqrt(2.0 * at.gain) / (_LEFT + np.sqrt(_ROUNDING * at.error))

    def remaining(self, at):
        """See Problem."""
        factors = [at.linear.at(k) for k in range(at.linear.size())]
        worst = max(factors, key=lambda factor: gain(factor, at.step))
        where = ' and '.join(map(self._names.get, list(worst.keys())))
        return (f'another step would change the solution by {np.sqrt(2.0 * at.gain):.2g} standard '
                f'deviations, most of it at {where}')
