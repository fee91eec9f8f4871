"""An .adm file as a mechanism in space, with its start."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from mb_model.adams.connections import distance_entry, joint_entry, motion_entries, spring_entry
from mb_model.adams.parts import Marker, Part, read_markers, read_part
from mb_model.adams.statements import AdamsError, Statement, read_statements
from mb_model.arrays import FloatArray
from mb_model.space.body import GROUND

_UNITS = {'FORCE': 'NEWTON', 'MASS': 'KILOGRAM', 'LENGTH': 'METER', 'TIME': 'SECOND'}
_READ = ('UNITS', 'ACCGRAV', 'PART', 'MARKER', 'JOINT', 'GCON', 'MOTION', 'SFORCE')


@dataclass(frozen=True)
class AdamsModel:
    """A mechanism as MSC Adams describes it.

    raw: the mapping of a mechanism file; names in it are joint1, distance1, motion1, spring1,
    part2 for JOINT/1, GCON/1, MOTION/1, SFORCE/1, PART/2.  parts: the moving ones, by name.
    """

    raw: dict[str, Any]
    file: str
    parts: dict[str, Part] = field(default_factory=dict)
    markers: dict[int, Marker] = field(default_factory=dict)

    def start_velocity(self, mechanism: Any) -> FloatArray:
        """Return zd (g) of the initial velocities of the parts; raises AdamsError.

        mechanism: the one of raw.  Joints must allow the velocities to 1e-6 m/s and rad/s.
        """
        wanted = np.concatenate([np.r_[part.velocity, part.angular_velocity]
                                 for part in self.parts.values()])
        rest = self._twists(mechanism, np.zeros(mechanism.g))
        columns = np.array([self._twists(mechanism, zd) - rest for zd in np.eye(mechanism.g)]
                           ).reshape(mechanism.g, len(rest)).T
        zd = np.linalg.lstsq(columns, wanted - rest, rcond=None)[0]
        gap = np.abs(columns @ zd + rest - wanted).max()
        if gap > 1e-6:
            raise AdamsError(f'{self.file}: joints do not allow the initial velocities, which are '
                             f'{gap:.2g} off')
        return zd

    def _twists(self, mechanism: Any, zd: FloatArray) -> FloatArray:
        """Return velocities and angular velocities of all CM markers, one after the other."""
        twists = []
        for name, part in self.parts.items():
            motion = mechanism.body_motion(name, mechanism.q0,
                                           mechanism.velocity(mechanism.q0, zd))
            twists += [motion.velocity_of(part.centre.at), motion.angular_velocity]
        return np.concatenate(twists)


def read_adams(path: str | Path) -> AdamsModel:
    """Return the AdamsModel of an .adm file; raises AdamsError, OSError.

    Read are UNITS (SI alone), PART, MARKER, ACCGRAV, JOINT, GCON (distances), MOTION of joints,
    SFORCE (springs and dampers); other statements on the mechanism raise AdamsError.
    """
    path = Path(path)
    return adams_model(path.read_text(encoding='utf-8', errors='replace'), path.name)


def adams_model(text: str, file: str) -> AdamsModel:
    """Return the AdamsModel of the text of an .adm file; file: for messages."""
    statements = read_statements(text, file)
    for one in statements:
        if one.kind not in _READ:
            raise one.fail(f'not supported, supported are {", ".join(_READ)}')
        if one.kind == 'UNITS':
            _check_units(one)
    names = {one.number: GROUND if 'GROUND' in one.words else f'part{one.number}'
             for one in statements if one.kind == 'PART'}
    markers = read_markers(statements, names)
    parts = {names[one.number]: read_part(one, markers) for one in statements
             if one.kind == 'PART' and names[one.number] != GROUND}
    raw: dict[str, Any] = {
        'name': ''.join(letter if letter.isalnum() else '_' for letter in Path(file).stem),
        'dimension': 3, 'gravity': _gravity(statements),
        'bodies': {name: part.entry for name, part in parts.items()},
        'joints': {}, 'coordinates': {}, 'constraints': {}, 'forces': {}}
    for kind, connect in (('JOINT', _joint), ('GCON', _distance), ('MOTION', _motion),
                          ('SFORCE', _spring)):
        for one in statements:
            if one.kind == kind:
                connect(one, markers, raw)
    return AdamsModel(raw, file, parts, markers)


def _joint(one: Statement, markers: dict[int, Marker], raw: dict[str, Any]) -> None:
    raw['joints'][f'joint{one.number}'] = joint_entry(one, markers)


def _distance(one: Statement, markers: dict[int, Marker], raw: dict[str, Any]) -> None:
    raw['joints'][f'distance{one.number}'] = distance_entry(one, markers)


def _motion(one: Statement, markers: dict[int, Marker], raw: dict[str, Any]) -> None:
    name = f'motion{one.number}'
    raw['coordinates'][name], constraint = motion_entries(one, raw['joints'])
    raw['constraints'][name] = constraint(name)


def _spring(one: Statement, markers: dict[int, Marker], raw: dict[str, Any]) -> None:
    name = f'spring{one.number}'
    entry, coordinate = spring_entry(one, markers, raw['joints'])
    if coordinate:
        raw['coordinates'][f'{name}_angle'] = coordinate
        entry['coordinate'] = f'{name}_angle'
    raw['forces'][name] = entry


def _gravity(statements: list[Statement]) -> list[float]:
    gravity = [0.0, 0.0, 0.0]
    for one in statements:
        if one.kind == 'ACCGRAV':
            one.allow('IGRAV', 'JGRAV', 'KGRAV')
            gravity = [one.numbers(key, 1, default=(0.0,))[0]
                       for key in ('IGRAV', 'JGRAV', 'KGRAV')]
    return gravity


def _check_units(one: Statement) -> None:
    for key, unit in _UNITS.items():
        if one.values.get(key, (unit,))[0].upper() != unit:
            raise one.fail(f'{key} = {one.values[key][0]}: only {unit} is supported')
