"""Identify the noise of plant and sensors from the innovations of a filter over a bag."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence

from mb_estimators.commands.options import (
    add_truth_argument,
    recorded_run,
    recording_parser,
    run_command,
)
from mb_estimators.noise_identification import identify_noise
from mb_estimators.recording.recording import Recording
from mb_estimators.shaping_identification import identify_shaping
from mb_model import Mechanism
from mb_model.command_api import assigned, laid_out, table, working

_EXAMPLE = """
example:
  ros2 run mb_estimators identify_noise results/latest/bag --set lags=40
  ros2 run mb_estimators identify_noise results/latest/bag --shaping
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return the exit code."""
    return run_command(_identify, _parser(), arguments, 'no solution')


def _parser() -> ArgumentParser:
    parser = recording_parser(
        'identify_noise', __doc__, _EXAMPLE, 'of the identification: lags, settling, passes, '
        'acceleration_psd, initial_variance')
    parser.add_argument('--shaping', action='store_true',
                        help='instead, the coloured noise of the model by the true motion, for '
                        'shaping_error_ekf_fe')
    add_truth_argument(parser)
    return parser


def _identify(given: Namespace) -> Iterator[str]:
    """Yield lines of text about the result."""
    mechanism, sensors, recording = recorded_run(given)
    if given.shaping:
        yield from _shaping(given, mechanism, recording)
        return
    with working('identifying the noise'):
        noise = identify_noise(mechanism, sensors, recording, given.dt,
                               **assigned(given.settings, '--set'))
    rows = [('acceleration_psd', noise.acceleration_psd, 1.0),
            *((f'{name}.sigma', variance, 0.5) for name, variance in noise.variances.items())]
    yield laid_out(table(('noise', 'value [SI]', '95 % interval [SI]'), [[
        (name, f'{value ** power:.4g}',
         ' to '.join(f'{end ** power:.4g}' for end in noise.intervals[name.removesuffix('.sigma')]))
        for name, value, power in rows]]))
    if noise.change > 0.1:
        yield (f'the last pass has changed a noise by {100.0 * noise.change:.0f} %: not settled; '
               'more passes (--set passes=...), a longer recording, or fewer sensors are needed')


def _shaping(given: Namespace, mechanism: Mechanism, recording: Recording) -> Iterator[str]:
    """Yield lines of text about the coloured noise of the model."""
    if recording.truth is None:
        raise ValueError(f'--shaping: {given.bag} has no true motion; expected MechanismStates on '
                         f'{given.truth or "/prototype/state"}')
    shaped = identify_shaping(mechanism, recording.truth, recording.t)
    yield laid_out(table(('noise', 'value [SI]', '95 % interval [SI]'), [[
        (name, f'{value:.4g}', ' to '.join(f'{end:.4g}' for end in shaped.intervals[name]))
        for name, value in (('weight', shaped.weight), ('variance', shaped.variance))]]))
    yield ' '.join(f'--set {name}={value:.4g}' for name, value in shaped.settings.items())
    if shaped.reservation:
        yield shaped.reservation
