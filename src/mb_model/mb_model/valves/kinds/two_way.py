"""A valve between two places that is opened by its command."""

from mb_model.valves.valve import NOMINAL, SPOOL, ValveKind, port, start

VALVE = ValveKind('two_way', {
    'description': 'Valve between two places that opens with its command, 0 to 1.',
    'required': ['from', 'to', *NOMINAL],
    'properties': {
        'from': port('Volume or supply on one side.'), 'to': port('Volume or supply on the other '
                                                                  'side.'),
        **NOMINAL, **SPOOL, 'start': start(0)},
}, ('from', 'to'), (('from', 'to', 1),))
