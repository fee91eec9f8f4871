"""What a mechanism is made of, as tables: bodies, joints, coordinates, forces, sensors."""

from collections.abc import Iterator, Mapping
from dataclasses import MISSING, fields, is_dataclass
from typing import Any

import numpy as np
from rich.table import Table

from mb_model.assembly.body_tree import body_tree
from mb_model.commands.terminal import table
from mb_model.mechanism import Mechanism
from mb_model.mechanism_file.description import MechanismError

_GROUND = 'ground'
_NOISE = 'sigma', 'rate'        # of a sensor: columns of their own


def summary_of(mechanism: Mechanism) -> Table:
    """Return a table of the sizes of a mechanism."""
    mass = sum(body.mass for body in mechanism.bodies.values())
    return table(('', ''), [[
        ('where', 'in space' if mechanism.dimension == 3 else 'in the plane'),
        ('gravity', f'{_numbers(mechanism.gravity)} m/s²'),
        ('mass', f'{mass:.6g} kg'),
        ('bodies', str(len(mechanism.bodies))),
        ('degrees of freedom', f'{mechanism.g}: {", ".join(mechanism.independent)}'
         if mechanism.g else '0'),
        ('coordinates', str(mechanism.n)),
        ('constraints', f'{mechanism.m}' + (
            f', and {len(mechanism.redundant)} redundant' if mechanism.redundant else '')),
        ('loops', _loops(mechanism)),
        *([('drives', ', '.join(mechanism.drives))] if mechanism.drives else []),
        *([('parameters', ', '.join(f'{name} = {value:.6g}' for name, value
                                    in mechanism.parameters.items()))]
          if mechanism.parameters else [])]],
        title=mechanism.name, caption=[mechanism.description] if mechanism.description else [],
        words=(0, 1))


def tables_of(mechanism: Mechanism) -> Iterator[Table]:
    """Yield tables of what a mechanism is made of; none of what it has not."""
    described = mechanism.described
    parts = {
        'bodies': (('body', 'mass [kg]', 'inertia [kg m²]', 'points'), _bodies(mechanism)),
        'joints': (('joint', 'kind', 'bodies'), _joints(mechanism)),
        'constraints': (('constraint', 'kind', 'of'), _entries(described.constraints)),
        'coordinates': (('coordinate', '', 'at the start', 'unit'), _coordinates(mechanism)),
        'forces': (('force', 'kind', 'of'), _entries(described.forces)),
        'sensors': (('sensor', 'kind', 'of', 'sigma', 'rate [Hz]'), _sensors(mechanism))}
    if mechanism.circuit is not None:
        circuit = mechanism.circuit
        parts['hydraulics'] = (('oil', 'names'), [
            ('cylinders', ', '.join(circuit.cylinders)), ('volumes', ', '.join(circuit.volumes)),
            ('valves', ', '.join(circuit.valves) or 'none that take commands')])
    for title, (headings, rows) in parts.items():
        if rows:
            numbers = {k for k, heading in enumerate(headings)
                       if heading in ('mass [kg]', 'at the start', 'sigma', 'rate [Hz]')}
            yield table(headings, [rows], title=title,
                        words=[k for k in range(len(headings)) if k not in numbers])


def _bodies(mechanism: Mechanism) -> list[tuple[str, ...]]:
    """Return a row of each body; in space its principal moments of inertia."""
    return [(name, f'{body.mass:g}', _numbers(
        np.linalg.eigvalsh(body.inertia) if mechanism.dimension == 3 else [body.inertia]),
        ', '.join(body.points) + (', bends' if body.beam is not None else ''))
        for name, body in mechanism.bodies.items()]


def _joints(mechanism: Mechanism) -> list[tuple[str, ...]]:
    """Return a row of each joint: of a point in the plane, all bodies that turn about it."""
    if mechanism.dimension == 3:
        return [(joint.name, joint.kind, ' - '.join(joint.bodies))
                for joint in mechanism.joints.values()]
    on = {name: [*([_GROUND] if point.fixed else []),
                 *(body for body, one in mechanism.bodies.items() if name in one.points)]
          for name, point in mechanism.points.items()}
    return [(name, 'hinge', ' - '.join(bodies)) for name, bodies in on.items() if len(bodies) > 1]


def _coordinates(mechanism: Mechanism) -> list[tuple[str, ...]]:
    """Return a row of each coordinate, with its role where it has one."""
    roles = dict.fromkeys(mechanism.independent, 'degree of freedom') | dict.fromkeys(
        mechanism.described.prescribed, 'prescribed')
    return [(name, roles.get(name, ''), f'{_rounded(value):.6g}', mechanism.unit(name))
            for name, value in zip(mechanism.coordinates, mechanism.q0, strict=True)]


def _entries(entries: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """Return a row of each constraint or force: what of it is not as by default."""
    return [(name, entry.kind, ', '.join(
        f'{one.name} {_text(getattr(entry, one.name))}' for one in fields(entry)
        if one.name not in ('name', 'kind') and _is_said(entry, one)))
        for name, entry in entries.items() if is_dataclass(entry)]


def _is_said(entry: Any, one: Any) -> bool:
    """Return whether a field of a force or constraint has a value that is worth a word."""
    value = getattr(entry, one.name)
    if value is None or (isinstance(value, (str, tuple, dict)) and not value):
        return False
    if isinstance(value, (str, int, float)):
        return one.default is MISSING or bool(value != one.default)
    return isinstance(value, tuple) and all(isinstance(part, (str, int, float)) for part in value)


def _sensors(mechanism: Mechanism) -> list[tuple[str, ...]]:
    """Return a row of each sensor, as the file has it."""
    return [(name, str(entry.get('kind', '')), ', '.join(
        f'{key} {_text(value)}' for key, value in entry.items() if key not in ('kind', *_NOISE)),
        *(_number(mechanism, entry.get(key, '')) for key in _NOISE)) for name, entry in
        mechanism.sensors.items()]


def _number(mechanism: Mechanism, value: Any) -> str:
    """Return a number, or an expression over the parameters, as a number; nothing of what is none.
    """
    try:
        return _text(float(mechanism.number(value)))
    except (TypeError, ValueError):
        return ''


def _loops(mechanism: Mechanism) -> str:
    """Return how many loops the bodies close, in words."""
    try:
        return str(len(body_tree(mechanism).closures))
    except MechanismError as error:
        return f'not counted: {str(error).removeprefix(f"{mechanism.file}: ")}'


def _text(value: Any) -> str:
    """Return a value of a mechanism file as text."""
    if isinstance(value, float):
        return f'{value:.6g}'
    if isinstance(value, Mapping):
        return ', '.join(f'{key} {_text(part)}' for key, part in value.items())
    if isinstance(value, (list, tuple)):
        return ' - '.join(map(_text, value)) if all(isinstance(part, str) for part in value) else (
            f'({", ".join(map(_text, value))})')
    return str(value)


def _numbers(values: Any) -> str:
    return ', '.join(f'{_rounded(value):.6g}' for value in values)


def _rounded(value: float) -> float:
    """Return a number, 0 for what rounding has left of it."""
    return 0.0 if abs(value) < 1e-12 else value
