"""The interface of problems: a graph, and when it counts as solved."""

from abc import ABC, abstractmethod
from typing import NamedTuple

import gtsam


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
