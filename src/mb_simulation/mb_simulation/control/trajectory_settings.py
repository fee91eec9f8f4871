"""The motion of a machine: the one home of these values."""

from dataclasses import dataclass

from mb_model import INT64_MAX, Settings, setting

KINDS = ('none', 'hold', 'rectangle', 'circle', 'file', 'random')


@dataclass(frozen=True)
class TrajectorySettings(Settings):
    """The path of the degrees of freedom, and how fast it is."""

    kind: str = setting('none', choices=KINDS, help='The motion; none: no controller at all')
    size: tuple[float, ...] = setting(
        (0.26, 0.16), unit='m', above=0.0,
        help='Of the rectangle, along the first and second degree of freedom')
    radius: float = setting(0.1, unit='m', above=0.0, help='Of the circle')
    file: str = setting('', help='CSV file with columns t and the degrees of freedom')
    reach: float = setting(0.1, unit='m', above=0.0,
                           help='How far from the start lengths move at random')
    turn: float = setting(0.25, unit='rad', at_least=0.0,
                          help='How far from the start angles move at random')
    random_duration: float = setting(600.0, unit='s', above=0.0, at_most=1e5,
                                     help='Time until random motion repeats itself, at least')
    seed: int = setting(0, at_least=0, at_most=INT64_MAX,
                        help='Of the random motion')
    speed: float = setting(1.41, unit='m/s', above=0.0, help='Largest speed of lengths')
    acceleration: float = setting(12.4, unit='m/s^2', above=0.0,
                                  help='Largest acceleration of lengths')
    turning_speed: float = setting(4.0, unit='rad/s', above=0.0, help='Largest speed of angles')
    turning_acceleration: float = setting(40.0, unit='rad/s^2', above=0.0,
                                          help='Largest acceleration of angles')
