"""A rigid body of a file that bends in the prototype all the same, as a chain of rigid segments.

The segments lie along the line through the body's first two points, on pins with springs of
E I N / L and dampers (Huston 1981, see segments).  The straight chain has mass, centre and
moment of inertia of the rigid body: the mass changes linearly along the line, and what inertia
this leaves over is spread over the segments.  Sections do not shear and do not twist.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mb_model import Mechanism, MechanismError
from mb_model.arrays import FloatArray
from mb_simulation.prototypes import segments
from mb_simulation.prototypes.segments import (
    PIECES,
    nodes,
    point_shares,
    points_between,
    segment_at,
    segment_names,
    start_position,
)

_SECTIONS = 'coordinates', 'forces', 'constraints'
_ROUNDING = 1e-9            # of an inertia, as a share
_RESTING = 1e-6             # what springs may still turn at rest, as a share of the first moment
_MOST = 50                  # iterations until then


def with_elastic_body(mechanism: Mechanism, name: str, bending_stiffness: float,
                      damping_time: float) -> Mechanism:
    """Return a mechanism with a chain in place of a body; it starts bent as it hangs at rest.

    bending_stiffness: E I [N m^2]; damping_time: of the material (Kelvin and Voigt), damping over
    stiffness [s].  What turns with the body turns with its segment at a shared point, otherwise
    with the first one.  Raises MechanismError for a body that is no such beam.
    """
    if mechanism.dimension == 3:
        raise MechanismError(f'{mechanism.file}: unmodelled.elastic_body: {name}: only in the '
                             'plane: in space joints, forces and coordinates name the one frame of '
                             'a body, not a segment; expected a body that is `flexible` in the '
                             'file, whose sections they name')
    if name not in mechanism.raw['bodies']:
        raise MechanismError(f'{mechanism.file}: unmodelled.elastic_body: {name}: must be a body '
                             'of the file, and none that repeats')
    beam = _ElasticBody(mechanism, name)
    springs = {hinge: {'kind': 'spring_damper', 'bodies': pair,
                       'stiffness': bending_stiffness / beam.piece,
                       'damping': damping_time * bending_stiffness / beam.piece}
               for hinge, pair in beam.hinges.items()}
    angles = [f'{hinge}.angle' for hinge in beam.hinges]
    changed = {section: {key: beam.carried(entry) for key, entry in
                         mechanism.raw.get(section, {}).items() if beam.is_of(section, key, entry)}
               for section in _SECTIONS}
    start, rates = (dict(zip(mechanism.independent, values.tolist(), strict=True))
                    | dict.fromkeys(angles, 0.0) for values in (mechanism.z0, mechanism.zd0))
    starts = {point: {'start': start_position(mechanism, point)}
              for point in mechanism.raw['points'] if not mechanism.points[point].fixed}
    return _hanging(mechanism.replace(
        points=starts | points_between(mechanism, mechanism.bodies[name]),
        bodies={name: None, **beam.bodies()},
        coordinates=changed['coordinates'], constraints=changed['constraints'],
        forces=changed['forces'] | springs, independent=[*mechanism.independent, *angles],
        start=start, start_velocity=rates, sensors=None, sensor_groups=None),
        angles, bending_stiffness / beam.piece)


def _hanging(chain: Mechanism, angles: Sequence[str], stiffness: float) -> Mechanism:
    """Return a chain that starts with its springs in balance; its other coordinates stay."""
    indices, z = [list(chain.independent).index(name) for name in angles], chain.z0.copy()
    first, still = None, np.zeros(chain.g)
    for _ in range(_MOST):
        moment = chain.inverse_dynamics(z, still, still)[indices]
        size = np.abs(moment).max()
        first = first or size
        if size <= _RESTING * first:
            break
        z[indices] -= moment / stiffness
    else:
        raise MechanismError(f'{chain.file}: unmodelled.bending_stiffness: too soft to hold its '
                             'weight, expected a stiffer body')
    return chain.replace(start=dict(zip(chain.independent, z.tolist(), strict=True)))


def fastest_rate(mechanism: Mechanism, name: str, bending_stiffness: float,
                 damping_time: float) -> float:
    """Return the largest rate at which the chain of a body swings or comes to rest [1/s]."""
    body, length = mechanism.bodies[name], _ElasticBody(mechanism, name).length
    return segments.fastest_rate(bending_stiffness, body.mass, length, damping_time)


class _ElasticBody:
    """The chain of one body; piece: that bends in a hinge [m]; hinges: name -> both segments."""

    def __init__(self, mechanism: Mechanism, name: str) -> None:
        self._mechanism, self._body = mechanism, mechanism.bodies[name]
        self._raw, self._path = mechanism.raw['bodies'][name], f'{mechanism.file}: bodies.{name}'
        if self._body.beam is not None or self._body.shape:
            raise MechanismError(f'{self._path}: unmodelled.elastic_body: must be rigid in the '
                                 'file, and touch nothing')
        self._first, self._last = list(self._body.points)[:2]
        start, end = (complex(*self._body.points[one]) for one in (self._first, self._last))
        self.length = abs(end - start)
        self.piece = self.length / PIECES
        self._frame = start, (end - start) / self.length
        self._names = segment_names(name)
        self._positions = self.length * point_shares()
        self._nodes = nodes(self._body)
        self.hinges = {f'{name}_hinge{k}': self._names[k - 1:k + 1] for k in range(1, PIECES + 1)}

    def bodies(self) -> dict[str, Any]:
        """Return the segments; further points are on the segment beside them."""
        shares, centre, rest = self._masses()
        sizes = np.diff(self._positions).tolist()
        chain = {name: {
            'points': {self._nodes[k]: [0.0, 0.0], self._nodes[k + 1]: [sizes[k], 0.0]},
            'mass': f'({self._raw["mass"]}) * {float(shares[k])!r}',
            'centre_of_gravity': [0.5 * sizes[k], centre],
            'inertia': f'({self._raw["mass"]}) * {float(rest[k])!r}'}
            for k, name in enumerate(self._names)}
        for point in list(self._body.points)[2:]:
            local, k = self._local(self._body.points[point]), self._beside(point)
            chain[self._names[k]]['points'][point] = [
                local.real - float(self._positions[k]), local.imag]
        return chain

    def is_of(self, section: str, key: str, entry: Mapping[str, Any]) -> bool:
        """Return whether an entry names the body; raises MechanismError where it may not."""
        named = self._body.name in (entry.get('body'), *entry.get('bodies', ()))
        if named and (section == 'forces' or 'prescribed' in entry.get('kind', '')):
            raise MechanismError(f'{self._mechanism.file}: {section}.{key}: acts on '
                                 f'{self._body.name}, which is to be elastic: at which section is '
                                 'not known')
        return named

    def carried(self, entry: Mapping[str, Any]) -> dict[str, Any]:
        """Return the part of an entry that names the body, with its segments."""
        if 'body' in entry:
            return {'body': self._names[0]}
        other, = (one for one in entry['bodies'] if one != self._body.name)
        shared = next((point for point in self._body.points
                       if point in self._mechanism.bodies[other].points), self._first)
        return {'bodies': [self._names[self._beside(shared)] if one == self._body.name else one
                           for one in entry['bodies']]}

    def _masses(self) -> tuple[FloatArray, float, FloatArray]:
        """Return masses and inertias (n) over the body's mass, and how far it is off the line."""
        body, length = self._body, self.length
        centre = self._local(body.centre_of_gravity)
        parts, along = np.diff(point_shares()), 0.5 * (point_shares()[:-1] + point_shares()[1:])
        slope = (centre.real / length - 0.5) / (parts @ (along - 0.5) ** 2)
        shares = parts * (1.0 + slope * (along - 0.5))
        own = shares * (length * parts) ** 2 / 12.0
        left = body.inertia / body.mass - own.sum() - shares @ (along * length - centre.real) ** 2
        if shares.min() <= 0.0 or left < -_ROUNDING * length ** 2:
            raise MechanismError(
                f'{self._path}: unmodelled.elastic_body: no beam from {self._first} to '
                f'{self._last}: its centre must be in the middle third, and its inertia at least '
                f'{body.mass * (body.inertia / body.mass - left):.3g} kg m^2')
        return shares, centre.imag, own + max(left, 0.0) * parts

    def _local(self, position: Sequence[float]) -> complex:
        """Return an offset in the body's frame in the frame of the line, complex [m]."""
        origin, direction = self._frame
        return (complex(*position) - origin) * direction.conjugate()

    def _beside(self, point: str) -> int:
        return segment_at(self._local(self._body.points[point]).real / self.length)
