"""Flexible bodies as chains of rigid segments with springs between them.

The finite-segment method (Huston 1981, Multi-body dynamics including the effects of flexibility and
compliance): N pins amid N equal pieces of the beam, in each a spring of E I N / L with a damper,
which damps the first mode as the file says, and bars between them.  It shares neither shapes nor
equations with the modes of mb_model; frequencies of the chain come near the frequencies of the beam
as 1 / N^2.  The segments at both ends are half ones: with pins amid the pieces the deflection under
a force at the tip is too small by the share 1 / (4 N^2), whatever holds the beam; with pins between
N segments a clamped one lacks 3 / (2 N).
"""

from math import sqrt
from typing import Any

import numpy as np

from mb_model import Mechanism, MechanismError
from mb_model.arrays import FloatArray

PIECES = 12                 # N
_HIGHEST = 8.9              # of N^2 sqrt(E I / (m L^3)): of a chain with both ends free


def point_shares() -> FloatArray:
    """Return where points of a chain are: its ends, and hinges between, as shares of the length."""
    return np.r_[0.0, (np.arange(PIECES) + 0.5) / PIECES, 1.0]


def nodes(body: Any) -> list[str]:
    """Return the names of the points of a Body's chain, from its first to its last."""
    first, last = list(body.points)[:2]
    return [first, *(f'{body.name}_node{k}' for k in range(1, PIECES + 1)), last]


def segment_names(name: str) -> list[str]:
    """Return the names of the segments of a body's chain, from its first end on."""
    return [f'{name}_segment{k}' for k in range(PIECES + 1)]


def segment_at(share: float) -> int:
    """Return the number of the segment at a share of the length."""
    return min(max(int(share * PIECES + 0.5), 0), PIECES)


def points_between(mechanism: Mechanism, body: Any) -> dict[str, Any]:
    """Return the points between segments of a Body, on the line through its ends at the start."""
    names = nodes(body)
    first, last = (np.array(start_position(mechanism, names[end])) for end in (0, -1))
    return {name: {'start': (first + share * (last - first)).tolist()}
            for name, share in zip(names[1:-1], point_shares()[1:-1], strict=True)}


def fastest_rate(bending_stiffness: float, mass: float, length: float,
                 damping_time: float) -> float:
    """Return the largest |eigenvalue| of a chain [1/s]; what holds and loads it makes it smaller.

    bending_stiffness [N m^2]; damping_time: damping over stiffness [s].
    """
    frequency = _HIGHEST * PIECES ** 2 * sqrt(bending_stiffness / (mass * length ** 3))
    return largest_rate(frequency, 0.5 * damping_time * frequency)


def largest_rate(frequency: float, share: float) -> float:
    """Return the largest |eigenvalue| [1/s] of a frequency [rad/s]; share: of critical damping."""
    return frequency * (share + sqrt(share * share - 1.0)) if share > 1.0 else frequency


def start_position(mechanism: Mechanism, point: str) -> list[float]:
    """Return the position of a point at the start, as a list [m]."""
    if mechanism.points[point].fixed:
        return list(mechanism.points[point].position)
    k = mechanism.point_index(point)
    return mechanism.q0[k:k + 2].tolist()


def segmented(mechanism: Mechanism) -> Mechanism:
    """Return a mechanism with chains in place of its flexible bodies; it starts bent alike.

    Raises MechanismError for coordinates and forces that turn with a flexible body, whose sections
    turn differently.
    """
    rigid = [name not in mechanism.modes for name in mechanism.independent]
    independent = [name for name, keep in zip(mechanism.independent, rigid, strict=True) if keep]
    start, rates = (
        dict(zip(independent, values[rigid].tolist(), strict=True)) | dict.fromkeys(
            mechanism.raw.get(key, {}).keys() & set(mechanism.modes))
        for key, values in (('start', mechanism.z0), ('start_velocity', mechanism.zd0)))
    points = {name: {'start': start_position(mechanism, name)}
              for name, point in mechanism.points.items()
              if not point.fixed and name in mechanism.raw['points']}
    bodies, forces, constraints = {}, {}, {}
    for name in mechanism.flexible_bodies:
        _require_no_turns(mechanism, name)
        chain = _Chain(mechanism, name)
        points |= points_between(mechanism, mechanism.bodies[name])
        bodies |= {name: None, **chain.bodies()}
        forces |= chain.springs()
        constraints |= chain.welds()
        for values, angles in zip((start, rates), chain.angles(), strict=True):
            values |= dict(zip(chain.hinges, angles.tolist(), strict=True))
        independent += chain.hinges
    return mechanism.replace(points=points, bodies=bodies, forces=forces, constraints=constraints,
                             independent=independent, start=start, start_velocity=rates,
                             sensors=None, sensor_groups=None)


def _require_no_turns(mechanism: Mechanism, name: str) -> None:
    for section in ('coordinates', 'forces'):
        for key, entry in mechanism.raw.get(section, {}).items():
            if name in (entry.get('body'), *entry.get('bodies', ())):
                raise MechanismError(
                    f'{mechanism.file}: {section}.{key}: {name} is flexible: the MuJoCo prototype '
                    'does not know which of its sections is meant, take the multibody one')


class _Chain:
    """The chain of one flexible body."""

    def __init__(self, mechanism: Mechanism, name: str) -> None:
        if name not in mechanism.raw['bodies']:
            raise MechanismError(f'{mechanism.file}: bodies.{name}: a flexible body that `repeat` '
                                 'writes: the MuJoCo prototype takes it written out')
        self._mechanism, self._raw = mechanism, mechanism.raw['bodies'][name]
        self._body = mechanism.bodies[name]
        self._nodes, self._positions = nodes(self._body), self._body.length * point_shares()
        self._names = segment_names(name)
        self.hinges = [f'{name}_hinge{k}.angle' for k in range(1, PIECES + 1)]

    def bodies(self) -> dict[str, Any]:
        """Return the segments; further points are on the segment that carries their section."""
        sizes = np.diff(self._positions).tolist()
        masses = [f'({self._raw["mass"]}) * {size / self._body.length!r}' for size in sizes]
        segments = {name: {'points': list(self._nodes[k:k + 2]), 'length': sizes[k],
                           'mass': masses[k]} for k, name in enumerate(self._names)}
        for point in list(self._body.points)[2:]:
            k, (x, y) = self._segment_at(point), self._body.points[point]
            carrier = segments[self._names[k]]
            if 'length' in carrier:
                carrier |= {'points': dict(zip(carrier['points'], (
                    [0.0, 0.0], [carrier.pop('length'), 0.0]), strict=True)),
                    'centre_of_gravity': [0.5 * sizes[k], 0.0],
                    'inertia': f'{masses[k]} * {sizes[k]!r} ** 2 / 12'}
            carrier['points'][point] = [x - float(self._positions[k]), y]
        return segments

    def springs(self) -> dict[str, Any]:
        """Return the springs with dampers between segments."""
        stiffness = (f'({self._raw["flexible"]["bending_stiffness"]}) '
                     f'/ {self._body.length / PIECES!r}')
        share = damping_time(self._body.beam)
        return {hinge.removesuffix('.angle'): {
            'kind': 'spring_damper', 'bodies': list(pair), 'stiffness': stiffness,
            'damping': f'{share!r} * {stiffness}'}
            for hinge, pair in zip(self.hinges, zip(self._names, self._names[1:], strict=False),
                                   strict=True)}

    def welds(self) -> dict[str, Any]:
        """Return the welds of the body: of its segment at the shared point."""
        welds = {}
        for key, weld in self._mechanism.raw.get('constraints', {}).items():
            if weld['kind'] == 'welded_angle' and self._body.name in weld['bodies']:
                other, = (name for name in weld['bodies'] if name != self._body.name)
                shared = next((point for point in self._body.points
                               if point in self._mechanism.bodies[other].points), self._nodes[0])
                segment = self._names[self._segment_at(shared)]
                welds[key] = {'bodies': [segment if name == self._body.name else name
                                         for name in weld['bodies']]}
        return welds

    def angles(self) -> list[FloatArray]:
        """Return angles and rates of the hinges (n) at the start."""
        touching = np.linspace(0.0, self._body.length, PIECES + 1)      # of the bent line
        slopes = np.array([self._body.beam.slope(at) for at in touching])
        modes = [list(self._mechanism.independent).index(name) for name in self._body.modes]
        return [np.diff(slopes @ values[modes])
                for values in (self._mechanism.z0, self._mechanism.zd0)]

    def _segment_at(self, point: str) -> int:
        return segment_at(self._body.points[point][0] / self._body.length)


def damping_time(beam: Any) -> float:
    """Return damping over stiffness of a Beam's material [s], by its first mode."""
    return 2.0 * beam.damping_ratio / float(beam.frequencies[0])
