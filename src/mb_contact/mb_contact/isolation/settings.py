"""Settings of the isolation of contacts."""

from dataclasses import dataclass

from mb_model.settings import Settings, setting


@dataclass(frozen=True)
class IsolationSettings(Settings):
    """Contacts: what may be touched how, and how well the force from outside is known."""

    friction: float = setting(
        0.5, at_least=0.0, help='Largest coefficient of friction between a body and what it meets')
    surroundings_speed: float = setting(
        0.1, unit='m/s', above=0.0,
        help='Standard deviation of the velocity of what is touched, along each axis')
    model_uncertainty: float = setting(
        0.05, at_least=0.0,
        help='Standard deviation of the force from outside that is not noise, as a share of it, in '
             'the metric of the mass matrix')
    correlation_time: float = setting(
        0.003, unit='s', above=0.0, help='Time over which the noise of the force stays alike')
    lag: float = setting(
        0.0015, unit='s', at_least=0.0,
        help='By how much longer the estimate of one part of the force takes to follow than that '
             'of another, as angular accelerations do that no sensor reads; it counts as a share '
             'of the time since the contact began')
    memory: float = setting(
        0.003, unit='s', above=0.0,
        help='How long a force counts, with exponential forgetting: the longer, the less noise; '
             'but what is clamped pushes another way at first, until it moves along')
    before: float = setting(
        0.01, unit='s', at_least=0.0,
        help='How long before its detection a contact had not changed the motion yet')
    imbalance: float = setting(
        0.02, at_least=0.0,
        help='Forces on two bodies that clamp something are opposite but for what accelerates it: '
             'its standard deviation along each axis, as a share of the force that clamps')
    settling: float = setting(
        0.002, unit='s', at_least=0.0,
        help='By this over the time since the contact began, that share is larger: what is clamped '
             'is set in motion first')
    clamping_probability: float = setting(
        0.25, at_least=0.0, at_most=1.0,
        help='That something is clamped between two bodies, before anything is known of a contact')
    places: int = setting(
        12, at_least=2, at_most=100,
        help='Places along each side of a capsule; a disc has four times as many')
