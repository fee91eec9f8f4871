"""Hypotheses on which body is touched, and the settings of the isolation that weighs them."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from mb_model import Settings, setting

MOST_WINDOWS = 5        # of forces that count


@dataclass(frozen=True)
class IsolationSettings(Settings):
    """Contacts: possible points and frictions, and uncertainty of the force from outside."""

    friction: float = setting(
        0.5, at_least=0.0, help='Largest coefficient of friction between a body and a contact')
    surroundings_speed: float = setting(
        0.1, unit='m/s', above=0.0,
        help='Standard deviation of the velocity of touched things, along each axis')
    model_uncertainty: float = setting(
        0.05, at_least=0.0,
        help='Standard deviation of the force from outside that is not noise, as a share of it, in '
             'the metric of the mass matrix')
    correlation_time: float = setting(
        0.003, unit='s', above=0.0, help='Time over which the noise of the force stays alike')
    lag: float = setting(
        0.0015, unit='s', at_least=0.0,
        help='How much longer the estimate of one part of the force lags than the estimate of '
             'another, as angular accelerations do that no sensor reads; it counts as a share '
             'of the time since the contact began')
    window: float = setting(
        0.004, unit='s', above=0.0,
        help='Forces are averaged over windows of this length')
    windows: int = setting(
        MOST_WINDOWS, at_least=1, at_most=MOST_WINDOWS,
        help='How many windows count, the latest ones: one point has to explain all of them, while '
             'it moves and its sliding turns')
    before: float = setting(
        0.01, unit='s', at_least=0.0,
        help='How long before its detection a contact had not changed the motion yet')
    imbalance: float = setting(
        0.02, at_least=0.0,
        help='Forces on two bodies that clamp something are opposite but for its inertia force: '
             'standard deviation of this along each axis, as a share of the clamping force')
    settling: float = setting(
        0.002, unit='s', at_least=0.0,
        help='The share grows by this over the time since the contact began: the clamped thing '
             'is accelerated first')
    clamping_probability: float = setting(
        0.25, at_least=0.0, at_most=1.0,
        help='Prior probability that a contact clamps something between two bodies')
    unforeseen: float = setting(
        0.05, at_least=0.0, at_most=1.0,
        help='Probability that a contact is of no kind that is looked for, as two at once or one '
             'that jumps to another point: then its forces show nothing, and bodies keep their '
             'prior probabilities')
    places: int = setting(
        12, at_least=2, at_most=100,
        help='Points along each side of a capsule, a cylinder or the longest edge of a box; a disc '
             'or a sphere has four times as many, an end of a cylinder twice')


DECIDED = 0.7       # probability from which on one hypothesis is named alone


class Touch(NamedTuple):
    """A force on a body at a point, as means over all candidates that explain what was estimated.

    body: name in the mechanism file; point (d) [m] and force (d) [N] in the frame of the mechanism,
    with their covariances (d, d); d: its dimension, 2 or 3.
    """

    body: str
    point: np.ndarray
    force: np.ndarray
    point_covariance: np.ndarray
    force_covariance: np.ndarray


class Hypothesis(NamedTuple):
    """One explanation of a force from outside.

    bodies: the touched one, or the two that clamp something; probability: among all
    hypotheses; touches: one for each of the bodies.
    """

    bodies: tuple[str, ...]
    probability: float
    touches: tuple[Touch, ...]

    @property
    def name(self) -> str:
        """The bodies' names, joined by a comma."""
        return ', '.join(self.bodies)


def likeliest(hypotheses: Iterable[tuple[str, float]], probability: float = DECIDED) -> list[str]:
    """Return the fewest hypotheses that together have a probability.

    hypotheses: (what, probability) of each, the likeliest first; more than one of them: ambiguous.
    All of them if they do not reach it.
    """
    named, total = [], 0.0
    for what, share in hypotheses:
        named.append(what)
        total += share
        if total >= probability:
            break
    return named
