"""An orifice without a spool."""

from mb_model.valves.valve import NOMINAL, ValveKind, port

VALVE = ValveKind('throttle', {
    'description': 'Orifice that is always open.',
    'required': ['from', 'to', *NOMINAL],
    'properties': {
        'from': port('Volume or supply on one side.'),
        'to': port('Volume or supply on the other side.'),
        **NOMINAL},
}, ('from', 'to'), (('from', 'to', 0),))
