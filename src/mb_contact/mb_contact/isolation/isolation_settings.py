"""Settings of the isolation of contacts."""

from dataclasses import dataclass

from mb_model import Settings, setting

MOST_WINDOWS = 5        # of forces that count


@dataclass(frozen=True)
class IsolationSettings(Settings):
    """Contacts: possible places and frictions, and uncertainty of the force from outside."""

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
        help='How much longer the estimate of one part of the force lags than that of another, as '
             'angular accelerations do that no sensor reads; it counts as a share '
             'of the time since the contact began')
    window: float = setting(
        0.004, unit='s', above=0.0,
        help='Forces are averaged over windows of this length')
    windows: int = setting(
        MOST_WINDOWS, at_least=1, at_most=MOST_WINDOWS,
        help='How many windows count, the latest ones: one place has to explain all of them, while '
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
        help='Probability that a contact is none of those that are looked for, as two at once or '
             'one that jumps to another place: then its forces tell nothing, and bodies keep their '
             'prior probabilities')
    places: int = setting(
        12, at_least=2, at_most=100,
        help='Places along each side of a capsule, a cylinder or the longest edge of a box; a disc '
             'or a sphere has four times as many, an end of a cylinder twice')
