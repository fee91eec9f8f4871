"""What belongs to a run beside its numbers, as a YAML text."""

import yaml

from mb_model.mechanism import Mechanism

_KEYS = ('mechanism', 'file', 'formulation', 'integrator', 'settings', 'dt')


def run_text(mechanism, formulation, integrator, settings, dt):
    """Return mechanism, formulation with its settings, integrator and dt [s] as a text."""
    return yaml.safe_dump({
        'formulation': formulation, 'integrator': integrator, 'settings': dict(settings),
        'dt': float(dt), 'file': mechanism.file, 'mechanism': yaml.safe_load(mechanism.text)},
        sort_keys=False)


def read_run_text(text, where):
    """Return (how, dt) of a text; how: mechanism, formulation, integrator, settings by name.

    where: what to call it in errors.  Raises ValueError.
    """
    try:
        found = yaml.safe_load(text)
    except yaml.YAMLError:
        found = None
    if not isinstance(found, dict) or any(key not in found for key in _KEYS):
        raise ValueError(f'{where}: must have {", ".join(_KEYS)}')
    how = {name: found[name] for name in ('formulation', 'integrator', 'settings')}
    return {'mechanism': Mechanism(found['mechanism'], str(found['file'])), **how}, found['dt']
