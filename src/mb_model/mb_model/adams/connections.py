"""What connects parts in an .adm file, as entries of a mechanism file.

The first body of a joint has the J marker, the second the I marker, since Adams counts the motion
of I in the frame of J: angles of our joints are AZ(I, J) then, travels DZ(I, J, J), and
JOINT(id, 0, ...), the force on I at the I marker, is what our first body does to the second.
"""

from collections.abc import Callable, Mapping, Sequence
import math
import re
from typing import Any

import numpy as np

from mb_model.adams.parts import Marker, marker_of
from mb_model.adams.statements import Statement
from mb_model.mechanism_file.expressions import ExpressionError, evaluate
from mb_model.registry.joints import JOINTS
from mb_model.space.rotation import rotation_vector

_KINDS = {word: kind for kind in JOINTS.values() for word in kind.adams}
_MOTIONS = {'ROTATION': 'angle', 'TRANSLATION': 'slider'}
_DISTANCE = re.compile(r'DM\(\s*(\d+)\s*,\s*(\d+)\s*\)', re.IGNORECASE)
# Of an SFORCE: coordinate and rate, with markers I and J
_SPRINGS = {'TRANSLATIONAL': ('DM', 'VR'), 'ROTATIONAL': ('AZ', 'WZ')}
_UNITS = {'rtod': math.degrees(1.0), 'dtor': math.radians(1.0)}


def joint_entry(one: Statement, markers: dict[int, Marker]) -> dict[str, Any]:
    """Return the entry of `joints` of a JOINT; raises AdamsError."""
    one.allow('I', 'J')
    kind = one.words[0] if one.words else ''
    if kind not in _KINDS:
        raise one.fail(f'{kind}: not supported, supported are {", ".join(_KINDS)}')
    ours = _KINDS[kind]
    ends = marker_of(one, 'J', markers), marker_of(one, 'I', markers)
    entry = {'kind': ours.name, **_between(ends)}
    if ours.frames:
        entry['turn'] = rotation_vector(ends[0].turn @ ends[1].turn.T).tolist()
    elif ours.axis:
        entry['axes'] = [_axis(end, axis)
                         for end, axis in zip(ends, ours.adams[kind][::-1], strict=True)]
        if ours.axis == 'common':
            entry['references'] = [_axis(end, 'x') for end in ends]
    return entry


def distance_entry(one: Statement, markers: dict[int, Marker]) -> dict[str, Any]:
    """Return the entry of `joints` of a GCON that keeps a distance; raises AdamsError.

    The second body has the GCON's I marker.
    """
    one.allow('I', 'FUNCTION')
    function, owner = one.text('FUNCTION'), one.identifier('I')
    distances = _DISTANCE.findall(function)
    pair = [int(number) for number in distances[0]] if len(distances) == 1 else []
    if owner not in pair:
        raise one.fail('FUNCTION: expected a distance from the I marker, DM(i, j) - length')
    first, second = (_value(one, _DISTANCE.sub('s', function), {'s': s}) for s in (0.0, 1.0))
    if first >= 0.0 or abs(second - first - 1.0) > 1e-12:
        raise one.fail(f'FUNCTION: {function!r}: expected DM(i, j) - length')
    other = pair[1 - pair.index(owner)]
    if other not in markers or owner not in markers:
        raise one.fail(f'FUNCTION: {function!r}: there is no such marker')
    rod = next(kind.name for kind in JOINTS.values() if kind.held == 'distance')
    return {'kind': rod, **_between((markers[other], markers[owner])), 'length': -first}


def motion_entries(one: Statement, joints: dict[str, Any]
                   ) -> tuple[dict[str, Any], Callable[[str], dict[str, Any]]]:
    """Return the coordinate of a MOTION, and its constraint for the coordinate's name."""
    one.allow('JOINT', 'FUNCTION')
    joint = f'joint{one.identifier("JOINT")}'
    if joint not in joints:
        raise one.fail(f'JOINT: there is no {joint}')
    kinds = [_MOTIONS[word] for word in one.words if word in _MOTIONS]
    if len(kinds) != 1 or len(one.words) != 1:
        raise one.fail(f'expected one of {", ".join(_MOTIONS)}')
    motion = re.sub(r'\bTIME\b', 't', one.text('FUNCTION'), flags=re.IGNORECASE)
    motion = re.sub(r'((?:\d+\.?\d*|\.\d+)(?:E[-+]?\d+)?)D\b', r'(\1 * pi / 180)', motion,
                    flags=re.IGNORECASE)
    return {'kind': kinds[0], 'joint': joint}, lambda name: {
        'kind': 'prescribed', 'coordinate': name, 'motion': motion.lower()}


def spring_entry(one: Statement, markers: dict[int, Marker], joints: dict[str, Any]
                 ) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the entry of `forces` of an SFORCE, a spring and damper, and its coordinate.

    The coordinate, {} if it is a distance, is the angle of a joint with the same axis.  Raises
    AdamsError.
    """
    one.allow('I', 'J', 'FUNCTION')
    ends = marker_of(one, 'J', markers), marker_of(one, 'I', markers)
    if len(one.words) != 1 or one.words[0] not in _SPRINGS:
        raise one.fail(f'expected one of {", ".join(_SPRINGS)}')
    law = _law(one)
    if one.words[0] == 'TRANSLATIONAL':
        return {**_between(ends), **law}, {}
    for name, joint in joints.items():
        if 'angle' in JOINTS[joint['kind']].coordinates and 'references' in joint and joint[
                'bodies'] == [end.body for end in ends] and all(
                np.allclose([joint['axes'][k], joint['references'][k]],
                            [_axis(end, 'z'), _axis(end, 'x')]) for k, end in enumerate(ends)):
            return law, {'kind': 'angle', 'joint': name}
    raise one.fail('no joint with an angle has the axes of its markers I and J')


def _law(one: Statement) -> dict[str, Any]:
    """Return kind and numbers of a function f(s) + g(v), linear or not; raises AdamsError."""
    function = one.text('FUNCTION')
    pair = rf'\(\s*{one.identifier("I")}\s*,\s*{one.identifier("J")}\s*(?:,\s*\d+\s*)?\)'
    for name, symbol in zip(_SPRINGS[one.words[0]], 'sv', strict=True):
        function = re.sub(rf'\b{name}{pair}', symbol, function, flags=re.IGNORECASE)

    def force(s: float, v: float) -> float:
        return _value(one, function, {'s': s, 'v': v} | _UNITS)

    load = force(0.0, 0.0)
    stiffness, damping = load - force(1.0, 0.0), load - force(0.0, 1.0)
    size = abs(load) + abs(stiffness) + abs(damping)
    samples = (2.0, 3.0), (-1.5, 0.5), (0.3, -2.0)
    if any(abs(force(s, v) - load + stiffness * s + damping * v) > 1e-9 * size
           for s, v in samples):
        if any(abs(force(s, v) - force(s, 0.0) - force(0.0, v) + load)
               > 1e-9 * (size + abs(force(s, v))) for s, v in samples):
            raise one.fail(f'FUNCTION: {function!r} is no sum of a function of the coordinate and '
                           'one of its rate')
        return {'kind': 'characteristic', 'of_coordinate': _in(function, s='x', v='0.0'),
                'of_rate': f'{_in(function, s="0.0", v="v")} - ({load!r})'}
    if not (stiffness > 0.0 or (load == 0.0 and stiffness == 0.0)) or damping < 0.0:
        raise one.fail(f'FUNCTION: stiffness {stiffness:g} must be > 0 and damping '
                       f'{damping:g} >= 0')
    return {'kind': 'spring_damper', 'stiffness': stiffness, 'damping': damping,
            'rest': load / stiffness if stiffness else 0.0}


def _in(function: str, **symbols: str) -> str:
    """Return a function as an expression of ours, its symbols and units replaced."""
    text = function.lower()
    units = {unit: repr(value) for unit, value in _UNITS.items()}
    for symbol, other in (symbols | units).items():
        text = re.sub(rf'\b{symbol}\b', other, text)
    return text


def _value(one: Statement, function: str, names: Mapping[str, float]) -> float:
    try:
        return evaluate(function.lower(), names)
    except ExpressionError as error:
        raise one.fail(f'FUNCTION: {function!r} {error}') from None


def _between(ends: Sequence[Marker]) -> dict[str, Any]:
    return {'bodies': [end.body for end in ends], 'at': [end.at.tolist() for end in ends]}


def _axis(marker: Marker, axis: str) -> list[float]:
    return marker.turn[:, 'xyz'.index(axis)].tolist()
