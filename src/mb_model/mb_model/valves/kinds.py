"""The kinds of valves."""

from mb_model.registry.kind_modules import gathered, plugin_modules
from mb_model.valves.valve import NOMINAL, SPOOL, ValveKind, port, start

_DIRECTIONAL = ValveKind('directional', {
    'description': 'Proportional directional valve, zero lap: command > 0 opens P to A and B to T, '
                   '< 0 opens P to B and A to T.',
    'required': ['P', 'T', 'A', *NOMINAL],
    'properties': {
        'P': port("Volume or supply at the pump's port."),
        'T': port("Volume or supply at the tank's port."),
        'A': port('Volume or supply at port A.'),
        'B': port('Volume or supply at port B; left out, the port is plugged.'),
        **NOMINAL, **SPOOL, 'start': start(-1)},
}, ('P', 'T', 'A', 'B'), (('P', 'A', 1), ('B', 'T', 1), ('P', 'B', -1), ('A', 'T', -1)))

_THROTTLE = ValveKind('throttle', {
    'description': 'Orifice that is always open.',
    'required': ['from', 'to', *NOMINAL],
    'properties': {
        'from': port('Volume or supply on one side.'),
        'to': port('Volume or supply on the other side.'),
        **NOMINAL},
}, ('from', 'to'), (('from', 'to', 0),))

_TWO_PORT = ValveKind('two_way', {
    'description': 'Valve between volumes or supplies that opens with its command, 0 to 1.',
    'required': ['from', 'to', *NOMINAL],
    'properties': {
        'from': port('Volume or supply on one side.'), 'to': port('Volume or supply on the other '
                                                                  'side.'),
        **NOMINAL, **SPOOL, 'start': start(0)},
}, ('from', 'to'), (('from', 'to', 1),))

# name -> ValveKind, of other packages, too
VALVES: dict[str, ValveKind] = gathered(plugin_modules(__name__), 'VALVE',
                                        _DIRECTIONAL, _THROTTLE, _TWO_PORT)
