"""The deliberately wrong model of the three-simulation method."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from mb_model.mechanism_file.description import MechanismError
from mb_model.settings import Settings, setting

if TYPE_CHECKING:
    from mb_model.mechanism import Mechanism


@dataclass(frozen=True)
class ModelErrors(Settings):
    """The errors that nodes take as parameters."""

    gravity: float = setting(0.0, unit='m/s^2', at_least=-1e6, at_most=1e6,
                             help="What is added to the magnitude of the model's gravity")
    z0: float = setting(0.0, unit='rad or m', at_least=-1e6, at_most=1e6,
                        help='What is added to every degree of freedom of the start, modes aside')


def apply_model_errors(mechanism: 'Mechanism',
                       model_errors: ModelErrors | Mapping[str, Any]) -> 'Mechanism':
    """Return mechanism with errors: what an estimator believes, or the uncorrected model.

    model_errors: ModelErrors, or a mapping of
      gravity: a number is added to gravity's magnitude [m/s^2]; its components replace gravity
      z0:      a number is added to every independent coordinate of the start, modes of flexible
               bodies aside, or one number each
      others:  overrides of the mechanism file, as in Mechanism.replace
    """
    overrides = (asdict(model_errors) if isinstance(model_errors, ModelErrors)
                 else dict(model_errors))
    if np.ndim(overrides.get('gravity', ())) == 0:
        overrides['gravity'] = _scaled_gravity(mechanism, float(overrides['gravity']))
    offset = overrides.pop('z0', None)
    if offset is not None:
        overrides['start'] = dict(overrides.get('start', {})) | _moved_start(mechanism, offset)
    return mechanism.replace(**overrides) if overrides else mechanism


def _scaled_gravity(mechanism, error):
    """Return gravity with its magnitude changed by error."""
    magnitude = float(np.linalg.norm(mechanism.gravity))
    if error == 0.0:
        return mechanism.gravity.tolist()
    if magnitude == 0.0:
        raise MechanismError(f'{mechanism.file}: model_errors.gravity: {error} cannot be added to '
                             'a gravity without direction; give its components')
    return (mechanism.gravity * ((magnitude + error) / magnitude)).tolist()


def _moved_start(mechanism, offset):
    """Return the start moved by offset, a number or one per degree of freedom."""
    offset = np.asarray(offset, dtype=float)
    if offset.ndim and offset.shape != (mechanism.g,):
        raise MechanismError(f'{mechanism.file}: model_errors.z0: {offset.tolist()} must be one '
                             f'number or {mechanism.g}')
    if not offset.ndim:
        offset = np.where(np.isin(mechanism.independent, mechanism.modes), 0.0, offset)
    return dict(zip(mechanism.independent, (mechanism.z0 + offset).tolist(), strict=True))
