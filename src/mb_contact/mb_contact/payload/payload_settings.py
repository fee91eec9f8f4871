"""Settings of the payload estimator."""

from dataclasses import dataclass

from mb_model import Settings, setting


@dataclass(frozen=True)
class PayloadSettings(Settings):
    """Unknown masses: filters, conditions of holding, and uncertainties."""

    method: str = setting(
        'low_pass', choices=('low_pass', 'window_least_squares'),
        help='low_pass: first-order low-pass and triangular moving average of the mass of every '
             'instant; window_least_squares: least squares over a window of instants, weighted by '
             'their uncertainty, with one unknown factor for the friction of each cylinder')
    time_constant: float = setting(
        0.5, unit='s', above=0.0, help='Of the low-pass; instants that are held do not count')
    averaging_time: float = setting(
        1.0, unit='s', at_least=0.0, at_most=1000.0,
        help='Width of the triangular moving average behind it')
    window: float = setting(
        8.0, unit='s', above=0.0, at_most=1000.0,
        help='Window of the least squares; held instants do not count')
    settling_time: float = setting(
        0.1, unit='s', at_least=0.0,
        help='How long every cylinder must have moved faster than its transition velocity before '
             'instants count')
    correlation_time: float = setting(
        0.005, unit='s', above=0.0,
        help='Time over which errors of the masses of instants stay alike, on balance: errors of '
             'an acceleration swing to both sides. The longer, the less many instants help')
    friction_uncertainty: float = setting(
        0.03, at_least=0.0,
        help='Standard deviation of the friction of a cylinder, as a share of it')
    stiffness_uncertainty: float = setting(
        0.01, at_least=0.0,
        help='Standard deviation of the elastic force of each mode of flexible bodies, as a share '
             'of it: of the stiffness, and of the gain of gauges that show how much they bend')
    model_uncertainty: float = setting(
        0.01, at_least=0.0,
        help='Standard deviation of the other forces that the mechanism without the unknown '
             'masses needs, as a share of them')
    unknown_forces: tuple[str, ...] = setting(
        (), help='Degrees of freedom on which unknown forces act, such as the motion of a base on '
                 'soft ground: their equations of motion are left out')
    largest_deviation: float = setting(
        100.0, unit='kg', above=0.0,
        help='An instant with a larger standard deviation of a mass is held')
    least_change: float = setting(
        10.0, unit='kg', above=0.0,
        help='The smallest change of a load to be found at once; smaller ones are followed')
    alarm: float = setting(
        20.0, above=0.0,
        help='Logarithm of how much likelier a changed load must be than the present one before '
             'it is reported')
    longest_gap: float = setting(
        0.1, unit='s', above=0.0,
        help='After a longer gap between two estimates the mechanism has to settle again')
