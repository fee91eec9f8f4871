"""Laws of friction of which the transition velocity is among the unknowns of a fit."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from mb_estimators.fitting.friction_law import (
    CYLINDER,
    KEYS,
    KINDS,
    coordinate_numbers,
    coordinate_terms,
    cylinder_terms,
    smeared,
)
from mb_estimators.fitting.samples import UnexplainedForces, is_transition
from mb_estimators.fitting.unknowns import Unknowns
from mb_model import Mechanism, MechanismError
from mb_model.arrays import FloatArray
from mb_model.file_api import parameter_overrides, whole_mapping

_STEP = 1e-3                # of a number, for what of a law depends on it linearly


def _followed(key: str) -> str:
    """Return what a number without an own value is the same as."""
    return {'load_share_driven': 'load_share'}.get(key, key.replace('static', 'coulomb'))


class TransitionLaw:
    """A friction on a coordinate, and how its numbers depend on the unknowns.

    path: of its transition velocity, which is unknown number `at`, and at first `first`; numbers
    (c): the others at first; by_unknown (c, p); own (p): which unknowns these are.
    """

    path: str
    at: int
    first: float
    numbers: FloatArray
    by_unknown: FloatArray
    coordinate: int

    @property
    def own(self) -> FloatArray:
        """Which unknowns (p) are in the law."""
        return np.any(self.by_unknown != 0.0, axis=0)

    def terms(self, forces: UnexplainedForces, R: FloatArray, transition: float) -> FloatArray:
        """Return the factors (k, c) of the numbers; R (k, g): the rate is R zd."""
        raise NotImplementedError

    def values(self, forces: UnexplainedForces, turned: FloatArray,
               transition: float) -> FloatArray:
        """Return what a unit of each number needs (k, g, c), in rows to which forces are turned."""
        R = forces.needed.R[:, self.coordinate]
        terms = self.terms(forces, R, transition)
        return np.asarray(np.einsum('kij,kj->ki', turned, R)[:, :, np.newaxis]
                          * terms[:, np.newaxis, :], np.float64)

    def speed(self, forces: UnexplainedForces, turned: FloatArray) -> FloatArray:
        """Return |v| (k)."""
        return np.abs(np.einsum('kg,kg->k', forces.needed.R[:, self.coordinate],
                                forces.motion.zd))


class CoordinateLaw(TransitionLaw):
    """Friction among the forces of a mechanism file."""

    def __init__(self, unknowns: Unknowns, path: str, force: Any) -> None:
        """Set up for a force of a described mechanism."""
        mechanism, scalars = unknowns.mechanism, unknowns.scalars
        self.path, self._name, self._kind = path, force.name, force.kind
        self.coordinate = mechanism.indices([force.coordinate])[0]
        self.numbers, self.first = coordinate_numbers(force)
        offset = sum(len(part.names) for part in unknowns.bodies)
        self.at = offset + scalars.paths.index(path)
        by_feature = np.zeros((len(self.numbers), len(scalars.paths)))
        for k, other in enumerate(scalars.paths):
            if other in mechanism.parameters:
                by_feature[:, k] = self._changes(mechanism, other, scalars.believed[k])
            elif other != path and other.startswith(f'forces.{self._name}.'):
                by_feature[:, k] = self._own_changes(mechanism, other.rpartition('.')[2])
        own = slice(offset, offset + len(scalars.paths))
        self.by_unknown = np.zeros((len(self.numbers), len(unknowns)))
        self.by_unknown[:, own] = by_feature @ scalars.slopes(unknowns.start[own])

    def terms(self, forces: UnexplainedForces, R: FloatArray, transition: float) -> FloatArray:
        """Return the factors (k, c) of the numbers; the load is about what is needed along R."""
        load = np.einsum('kg,kg->k', R, forces.needed.force) / np.sum(R ** 2, axis=1)
        return forces.around(lambda zd: coordinate_terms(
            self._kind, np.einsum('kg,kg->k', R, zd), load, transition))

    def _own_changes(self, mechanism: Mechanism, key: str) -> FloatArray:
        """Return the derivatives of the numbers (c) by one of them, which others may follow."""
        given = whole_mapping(mechanism.raw, mechanism.file)['forces'][self._name]
        return np.array([float(key in (name, _followed(name) if name not in given else ''))
                         for name in KEYS[self._kind]])

    def _changes(self, mechanism: Mechanism, path: str, value: float) -> FloatArray:
        """Return the derivatives of the numbers (c) by what is at a path."""
        step = _STEP * (abs(value) or 1.0)
        try:
            moved = mechanism.replace(**parameter_overrides(mechanism, {path: value + step}))
        except MechanismError:      # Coulomb's above static friction
            step = -step
            moved = mechanism.replace(**parameter_overrides(mechanism, {path: value + step}))
        return (coordinate_numbers(moved.described.forces[self._name])[0] - self.numbers) / step


class CylinderLaw(TransitionLaw):
    """Friction of a hydraulic cylinder."""

    def __init__(self, unknowns: Unknowns, path: str) -> None:
        """Set up for the path of a transition velocity."""
        part, mechanism = unknowns.cylinders, unknowns.mechanism
        self.path, name = path, path.split('.')[2]
        described = mechanism.described.hydraulics.cylinders[name]
        self._number = part.cylinders.index(name)
        self.coordinate = mechanism.indices([described.coordinate])[0]
        self.numbers = np.array([getattr(described.friction, key) for key in CYLINDER])
        self.first = described.friction.transition_velocity
        offset = sum(len(one.names) for one in (*unknowns.bodies, unknowns.scalars))
        self.at = offset + part.paths.index(path)
        self.by_unknown = np.zeros((len(CYLINDER), len(unknowns)))
        head = path.rpartition('.')[0]
        for k, key in enumerate(CYLINDER):
            if f'{head}.{key}' in part.paths:
                self.by_unknown[k, offset:offset + len(part.paths)] = part.map[
                    part.paths.index(f'{head}.{key}')]

    def terms(self, forces: UnexplainedForces, R: FloatArray, transition: float) -> FloatArray:
        """Return the factors (k, c) of the numbers; forces: with oil."""
        oil: Any = forces.oil
        difference, rod, deviation = (values[:, self._number] for values in (
            oil.difference, oil.rod, oil.rate_deviation))
        return smeared(lambda v: cylinder_terms(v, difference, rod, transition),
                       np.einsum('kg,kg->k', R, forces.motion.zd), deviation)


def laws_of(unknowns: Unknowns) -> list[TransitionLaw]:
    """Return the laws whose transition velocity is among unknowns."""
    return [*_of_coordinates(unknowns), *(
        CylinderLaw(unknowns, path) for path in unknowns.cylinders.paths if is_transition(path))]


def _of_coordinates(unknowns: Unknowns) -> Iterator[TransitionLaw]:
    for path in unknowns.scalars.paths:
        first, _, rest = path.partition('.')
        if first == 'forces' and is_transition(path):
            force = unknowns.mechanism.described.forces[rest.rpartition('.')[0]]
            if force.kind in KINDS and force.coordinate:
                yield CoordinateLaw(unknowns, path, force)
