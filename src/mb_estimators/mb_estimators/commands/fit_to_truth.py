"""The engine that fits coloured noise of a model to a true motion, for shaping_error_ekf_fe."""

from collections.abc import Generator, Sequence
from pathlib import Path

from mb_estimators.commands.fit_request import Engine, FitOutcome, FitRequest, Written
from mb_estimators.commands.node_parameters import parameters_text
from mb_estimators.commands.recorded_readings import recorded_readings
from mb_estimators.fitting.fit_settings import FitError
from mb_estimators.fitting.page import html_table
from mb_estimators.shaping_identification import identify_shaping
from mb_model.command_api import table

GROUPS = {'shaping': 'coloured noise of the accelerations, by a true motion (--truth)'}
_NOISES = ('noise', 'value [SI]', '95 % interval [SI]')
_FILTER = 'shaping_error_ekf_fe'


def _takes(_: FitRequest, word: str) -> bool:
    """Return whether a word is the group."""
    return word in GROUPS


def _run(request: FitRequest, _: Sequence[str]) -> Generator[str, None, FitOutcome]:
    """Fit the noise to the true motion of the first bag; see Engine."""
    bag, truth = request.bags[0], request.options.truth
    if len(request.bags) > 1:
        raise FitError('--free shaping: expected one bag')
    one = next(recorded_readings(request))
    yield f'{bag}: {len(one.recording.stamps)} instants, {one.recording.t[-1]:g} s'
    if one.recording.truth is None:
        raise FitError(f'--free shaping: {bag} has no true motion; expected MechanismStates on '
                       f'{truth or "/prototype/state"}')
    shaped = identify_shaping(request.mechanism, one.recording.truth, one.recording.t)
    rows = [(name, f'{value:.4g}', ' to '.join(f'{end:.4g}' for end in shaped.intervals[name]))
            for name, value in (('weight', shaped.weight), ('variance', shaped.variance))]
    notes = (shaped.reservation,) if shaped.reservation else ()
    output = Path(request.options.output)
    file = Written('parameters', output.with_name(f'{output.stem}_shaping.yaml'), parameters_text(
        str(output.absolute()), _FILTER, [sensor.name for sensor in one.sensors], one.dt,
        {name: float(f'{value:.4g}') for name, value in shaped.settings.items()},
        (f'Fitted to {bag}.', *notes)))
    return FitOutcome({}, request.mechanism, (table(_NOISES, [rows], 'coloured noise'),), notes,
                      sections=(('Coloured noise', html_table(_NOISES, rows)),), files=(file,))


TRUTH = Engine(GROUPS, _takes, _run)
