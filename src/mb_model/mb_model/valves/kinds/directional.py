"""A proportional directional valve with four ports, or three."""

from mb_model.valves.valve import NOMINAL, SPOOL, ValveKind, port, start

VALVE = ValveKind('directional', {
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
