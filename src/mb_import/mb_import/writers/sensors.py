"""Sensors of a mechanism as sensors of a Machine."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mb_import.machine import Machine, MachineSensor
from mb_import.notes import Notes
from mb_import.writers.additions import joint_of
from mb_model import Mechanism
from mb_model.file_api import ExpressionError, evaluate_expression
from mb_model.space_api import Pose, of_roll_pitch_yaw

_ENCODERS = 'angle_encoder', 'linear_encoder', 'relative_angle_encoder'
_ON_BODIES = {'gyroscope': 'rate', 'accelerometer': 'acceleration', 'position': 'position'}
_NOT_VALID = ExpressionError, KeyError, StopIteration, TypeError, ValueError     # not judged so far
_NUMBERS = {'sigma': 0.0, 'bias_sigma': 0.0, 'rate': 0.0}


def sensors_of(mechanism: Mechanism, machine: Machine, names: Mapping[str, str],
               notes: Notes) -> dict[str, MachineSensor]:
    """Return encoders of joints, gyroscopes, accelerometers, positions, forces in joints by name.

    names: body -> its link.  All others are left out, with a note.
    """
    sensors = {}
    for name, entry in mechanism.sensors.items():
        try:
            made = _sensor(mechanism, machine, names, name, entry)
        except _NOT_VALID:
            made = None
        if made is not None:
            sensors[name] = made
            continue
        kind = entry.get('kind')
        notes.left_out(f'sensors.{name}', 'it is of no joint of the tree' if kind in (
            *_ENCODERS, 'force_torque') else f'{kind}: no description has such a sensor')
    return sensors


def _sensor(mechanism: Mechanism, machine: Machine, names: Mapping[str, str], name: str,
            entry: Mapping[str, Any]) -> MachineSensor | None:
    kind = entry['kind']
    sigma, bias, rate = (_number(entry.get(key, default)) for key, default in _NUMBERS.items())
    common: dict[str, Any] = {'frequency': rate or None, 'topic': entry.get('topic', '')}
    if kind in _ENCODERS:
        joint = joint_of(mechanism, machine, _coordinate(mechanism, entry))
        return MachineSensor(name, 'encoder', joint=joint, sigmas={'angle': sigma},
                             **common) if joint else None
    if kind == 'force_torque' and entry['joint'] in machine.joints:
        joint = entry['joint']
        return MachineSensor(name, kind, link=machine.joints[joint].links[1], joint=joint,
                             pose=machine.joints[joint].frames[1], sigmas={'force': sigma},
                             **common)
    if kind not in _ON_BODIES or 'axes' in entry:
        return None
    body, at = _mount(mechanism, entry)
    turn = of_roll_pitch_yaw([_number(one) for one in entry.get('rpy', (0.0, 0.0, 0.0))])
    quantity = _ON_BODIES[kind]
    return MachineSensor(name, kind, link=names[body], pose=Pose(np.array(at), turn),
                         sigmas={quantity: sigma}, biases={quantity: bias} if bias else {},
                         **common)


def _coordinate(mechanism: Mechanism, entry: Mapping[str, Any]) -> str:
    """Return the coordinate that an encoder measures, '' if it has no name."""
    if 'coordinate' in entry:
        return str(entry['coordinate'])
    wanted = (('relative_angle', tuple(entry['bodies'])) if 'bodies' in entry else
              ('angle', (entry.get('body'),)))
    return next((name for name, one in mechanism.described.coordinates.items()
                 if (one.kind, one.bodies) == wanted or (
                     'joint' in entry and one.joint == entry['joint'])), '')


def _mount(mechanism: Mechanism, entry: Mapping[str, Any]) -> tuple[str, Sequence[float]]:
    """Return body and position (3) in it of a sensor."""
    where = entry.get('point', entry)
    if isinstance(where, str):           # a point in the plane, of any body that has it
        where = next({'body': name, 'at': where} for name, body
                     in mechanism.described.bodies.items() if where in body.points)
    body = where['body']
    at = where.get('at', (0.0, 0.0, 0.0))
    if isinstance(at, str):
        at = mechanism.described.bodies[body].points[at]
    return body, [*(_number(one) for one in at), 0.0][:3]


def _number(value: Any) -> float:
    return float(evaluate_expression(value, {}) if isinstance(value, str) else value)
