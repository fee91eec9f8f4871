"""What the queries of a mechanism work in, one for each thread that asks."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from mb_model.arrays import FloatArray, RecordArray
from mb_model.assembly.assembly import Assembly
from mb_model.assembly.freedom import Freedom
from mb_model.assembly.singular import lacks_mass
from mb_model.compilation.compilation import compile_model
from mb_model.forces.kinds.load import Load
from mb_model.mechanism_file.description import MechanismError
from mb_model.mechanism_file.unweighed import require_masses
from mb_model.stepping.outside import write_forces, write_loads

if TYPE_CHECKING:
    from mb_model.stepping.stepper import Stepper


def driven_assembly(freedom: Freedom, names: tuple[str, ...], storage: str | None,
                    work: RecordArray) -> tuple[Assembly, RecordArray]:
    """Return (Assembly, model) in which the coordinates by name (g) are the independent ones.

    freedom: the Freedom of the mechanism, work: a workspace of it.  Raises MechanismError.
    """
    description = freedom.description
    g = len(description.independent)
    if len(set(names)) != g or len(names) != g:
        raise MechanismError(f'{description.file}: {", ".join(names)}: must be {g} coordinates, as '
                             'many as degrees of freedom')
    driven = replace(freedom, description=replace(description, independent=names))
    model, equations = compile_model(driven.description, storage, freedom.redundant)
    return Assembly(driven, model, equations, work), model


class ThreadWorkspace:
    """A workspace for kernels, the solver of position problems in it, steppers.

    Made when a thread first asks, and kept for its next query: nothing in it outlives a query but
    scratch.
    """

    def __init__(self, mechanism: Any) -> None:
        self._mechanism = mechanism
        self.work = mechanism.workspace()
        self.assembly = Assembly(mechanism.freedom, mechanism.model, mechanism.equations, self.work)
        self._steppers, self._driven = {}, {}

    def require(self, solved: bool) -> None:
        """Raise SingularPositionError unless solved."""
        self.assembly.require(solved)

    def require_mass(self, solved: bool) -> None:
        """Raise SingularPositionError unless solved, with a mass in every motion.

        By M_bar, which forward dynamics leave; of sparse storage, by its value at the start.
        """
        if solved and self._mechanism.is_sparse:
            self.require(not self._mechanism.lacks_mass)
            return
        g = self._mechanism.g
        self.require(solved and not lacks_mass(self.work['M_bar'][0, :g, :g]))

    def load(self, name: str, value: ArrayLike, size: int) -> None:
        """Write a vector (size) to the field of a name, not q; raises MechanismError."""
        self.work[name][0, :size] = self.assembly.vector(name, value, size)

    def load_position(self, q: ArrayLike) -> None:
        """Write q (n) to work.q; raises MechanismError."""
        self.assembly.load(q)

    def solve_position(self, z: ArrayLike, near: ArrayLike | None, t: float) -> None:
        """Solve the position problem: work.q at z (g), on the branch of `near` (n) or None."""
        self.assembly.move_to(self.assembly.vector('z', z, self._mechanism.g), self.start(near), t)

    def load_state(self, z: ArrayLike, zd: ArrayLike,
                   forces: ArrayLike | Mapping[str, float] | None, near: ArrayLike | None,
                   loads: Iterable[Load], t: float) -> None:
        """Solve the position problem; write the rates and what acts from outside."""
        require_masses(self._mechanism.described, 'dynamics')
        self.solve_position(z, near, t)
        self.load('zd', zd, self._mechanism.g)
        write_forces(self._mechanism, self.work, forces)
        write_loads(self._mechanism, self.work, loads)

    def start(self, near: ArrayLike | None) -> FloatArray:
        """Return the closed position (n) that a motion starts from."""
        return self._mechanism.q0 if near is None else self.assembly.settle(
            self.assembly.vector('near', near, self._mechanism.n))

    def driven_by(self, names: Sequence[str]) -> tuple[Assembly, RecordArray]:
        """Return (Assembly, model) with other independent coordinates, kept for the next time."""
        key, mechanism = tuple(names), self._mechanism
        if key not in self._driven:
            mechanism.indices(key)
            self._driven[key] = driven_assembly(mechanism.freedom, key, mechanism.storage,
                                                mechanism.workspace())
        return self._driven[key]

    def stepper(self, formulation: str | None, z: ArrayLike, zd: ArrayLike, near: ArrayLike | None,
                loads: Iterable[Load], t: float) -> 'Stepper':
        """Return a stepper of a formulation, kept for the next time, at z, zd."""
        formulation = formulation or ('index3_al' if self._mechanism.is_sparse else 'matrix_r')
        if formulation not in self._steppers:
            # Imported here: with the kernels of all formulations, which few processes need.
            from mb_model.stepping.formulation_stepper import make_stepper
            self._steppers[formulation] = make_stepper(self._mechanism, formulation)
        stepper = self._steppers[formulation]
        stepper.reset(z, self.assembly.vector('zd', zd, self._mechanism.g), near, t)
        stepper.apply_loads(loads)
        return stepper
