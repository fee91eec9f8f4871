"""What belongs to a run beside its numbers, as a YAML text."""

import yaml

from mb_model.mechanism import Mechanism

_KEYS = ('mechanism', 'file', 'formulation', 'integrator', 'dt')


def run_text(mechanism, formulation, integrator, dt):
    """Return mechanism, formulation, integrator and distance of instants [s] as a text."""
    return yaml.safe_dump({
        'formulation': formulation, 'integrator': integrator, 'dt': float(dt),
        'file': mechanism.file, 'mechanism': yaml.safe_load(mechanism.text)}, sort_keys=False)


def read_run_text(text, where):
    """Return (mechanism, formulation, integrator, dt) of a text.

    where: what to call it in errors.  Raises ValueError.
    """
    try:
        found = yaml.safe_load(text)
    except yaml.YAMLError:
        found = None
    if not isinstance(found, dict) or any(key not in found for key in _KEYS):
        raise ValueError(f'{where}: must have {", ".join(_KEYS)}')
    mechanism = Mechanism(found['mechanism'], str(found['file']))
    return mechanism, str(found['formulation']), str(found['integrator']), float(found['dt'])
