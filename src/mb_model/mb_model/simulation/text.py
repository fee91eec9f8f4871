"""What belongs to a run beside its numbers, as a YAML text."""

import yaml

from mb_model.mechanism import Mechanism
from mb_model.simulation.error_estimate import ErrorEstimate

_KEYS = ('mechanism', 'file', 'formulation', 'integrator', 'settings', 'dt')


def run_text(mechanism, formulation, integrator, settings, dt, error=None):
    """Return mechanism, formulation with its settings, integrator, dt [s] and error as a text.

    error: the ErrorEstimate, if there is one.
    """
    return yaml.safe_dump({
        'formulation': formulation, 'integrator': integrator, 'settings': dict(settings),
        'dt': float(dt), **({} if error is None else {'error': error.as_mapping()}),
        'file': mechanism.file, 'mechanism': yaml.safe_load(mechanism.text)}, sort_keys=False)


def read_run_text(text, where):
    """Return (how, dt) of a text; how: mechanism, formulation, integrator, settings, error by name.

    where: what to call it in errors.  Raises ValueError.
    """
    try:
        found = yaml.safe_load(text)
    except yaml.YAMLError:
        found = None
    if not isinstance(found, dict) or any(key not in found for key in _KEYS):
        raise ValueError(f'{where}: must have {", ".join(_KEYS)}')
    how = {name: found[name] for name in ('formulation', 'integrator', 'settings')}
    if 'error' in found:
        how['error'] = ErrorEstimate.from_mapping(found['error'])
    return {'mechanism': Mechanism(found['mechanism'], str(found['file'])), **how}, found['dt']
