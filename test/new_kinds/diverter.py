"""A kind of valves of another package: its command leads the oil one way or the other."""

from mb_model.kind_api import NOMINAL, SPOOL, ValveKind, port, start

VALVE = ValveKind('diverter', {
    'description': 'Leads the oil to one place or to another.',
    'required': ['from', 'above', 'below', *NOMINAL],
    'properties': {
        'from': port('Volume or supply that the oil comes from.'),
        'above': port('Volume or supply that commands > 0 lead to.'),
        'below': port('Volume or supply that commands < 0 lead to.'),
        **NOMINAL, **SPOOL, 'start': start(-1)},
}, ('from', 'above', 'below'), (('from', 'above', 1), ('from', 'below', -1)))
