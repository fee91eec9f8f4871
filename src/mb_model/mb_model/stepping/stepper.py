"""What every formulation offers: a state that is advanced step by step."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from copy import copy
from dataclasses import asdict
from typing import Any, Self, cast

import numpy as np
from numpy.typing import ArrayLike

from mb_model import integration
from mb_model.arrays import FloatArray, RecordArray
from mb_model.assembly.compiled_mechanism import CompiledMechanism
from mb_model.assembly.rolling import require_rolling
from mb_model.assembly.singular import weightless
from mb_model.forces.kinds.load import Load
from mb_model.formulations.formulation import FormulationKind
from mb_model.formulations.tableaux import ORDERS
from mb_model.integration.registry import FORMULATIONS, number_of
from mb_model.kernels import entry_points
from mb_model.kernels.charts import find_references, follow_references
from mb_model.mechanism_file.description import SingularPositionError
from mb_model.mechanism_file.unweighed import require_masses
from mb_model.reactions.reactions import Reactions, reactions_of
from mb_model.reactions.spatial import SpatialReactions, spatial_reactions_of
from mb_model.stepping.outside import write_loads


class StepError(RuntimeError):
    """A step that could not be made; the state is as it was before."""


class Stepper(ABC):
    """A mechanism in motion.  Kernels of filters work on `model` and `work` directly.

    z, zd, zdd, forces (g) and q, qd, qdd (n) are views of the state: they change with it.
    forces: on the degrees of freedom, beside the model's [N or N m]; coordinate_forces (n): on any
    coordinates; kept between steps, like the loads.  t [s]: the time.  loads_applied: how
    often loads have been replaced.
    """

    def __init__(self, mechanism: CompiledMechanism, model: RecordArray,
                 formulation: FormulationKind, integrator: str, **settings: Any) -> None:
        """Start at the mechanism's start; model: what the kernels work on.

        Raises SettingError for a setting.
        """
        self.mechanism, self.formulation, self.integrator = mechanism, formulation, integrator
        self.number = int(number_of(formulation))
        self.settings: Any = formulation.Settings.from_mapping(settings)
        self.model, self.work = model, mechanism.workspace()
        for name, value in asdict(cast(Any, self.settings)).items():
            self.work[name] = value
        self._turns_freely = bool(self.model['charts'][0])      # orientations are coordinates
        self._copy: RecordArray | None = None
        self.loads_applied = 0
        self._bind()
        self.reset()

    def _bind(self):
        """Make the views of the state in work."""
        mechanism, work = self.mechanism, self.work[0]
        self.q, self.qd, self.qdd = (work[name][:mechanism.n] for name in ('q', 'qd', 'qdd'))
        self.coordinate_forces = work['coordinate_forces'][:mechanism.n]
        self.z, self.zd, self.zdd, self.forces = (
            work[name][:mechanism.g] for name in ('z', 'zd', 'zdd', 'forces'))

    def __getstate__(self) -> dict[str, Any]:
        views = ('q', 'qd', 'qdd', 'z', 'zd', 'zdd', 'forces', 'coordinate_forces')
        return {name: value for name, value in vars(self).items() if name not in views} | {
            '_copy': None, 'formulation': self.formulation.name}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self.formulation = FORMULATIONS[state['formulation']]
        self._bind()      # copied views would be arrays of their own

    @property
    def t(self) -> float:
        """The time of the state [s]."""
        return float(self.work['t'][0])

    @property
    def order(self) -> int:
        """By which power of the step the error of a motion grows."""
        return ORDERS.get(self.integrator, 2)

    def twin(self) -> Self:
        """Return another Stepper with the same model in the same state."""
        other = copy(self)
        other.work = self.work.copy()
        other._bind()
        return other

    def reset(self, z: ArrayLike | None = None, zd: ArrayLike | None = None,
              near: ArrayLike | None = None, t: float = 0.0) -> None:
        """Start at z, zd (default: the mechanism's start), with the accelerations of the dynamics.

        near: coordinates (n) to start the position problem from.  Raises MechanismError, also for
        rates with which a body slips that rolls.
        """
        z = self.mechanism.z0 if z is None else z
        self.q[:] = self.mechanism.assemble(z, near, t)
        find_references(self.model, self.work)
        entry_points.set_time(self.model, self.work, t)
        self.z[:] = z
        self.zd[:] = self.mechanism.zd0 if zd is None else zd
        if self.model['rolls'][0]:
            require_rolling(self.mechanism, self.q, self.zd, t, 'zd')
        self.forces[:] = self.coordinate_forces[:] = 0.0
        self.apply_loads(())
        require_masses(self.mechanism.described, 'dynamics')
        self._require(not self.mechanism.lacks_mass)
        self.refresh()

    def apply_loads(self, loads: Iterable[Load]) -> None:
        """Let loads act on bodies from the next step on, in place of the present ones."""
        write_loads(self.mechanism, self.work, loads)
        self.work['loads_changed'] = 1
        self.loads_applied += 1

    def take_loads(self, other: 'Stepper') -> None:
        """Let the loads act that act on another Stepper of the same mechanism."""
        for name in ('loads', 'load_kind', 'load_index', 'load_value'):
            self.work[name] = other.work[name]
        self.work['loads_changed'] = 1

    def refresh(self) -> None:
        """Make qd, zdd, qdd and the multipliers consistent with q, z, zd and forces."""
        self._require(entry_points.forward_dynamics(self.model, self.work))

    def step(self, dt: float, forces: ArrayLike | None = None) -> None:
        """Advance by dt [s]; forces (g) replace the last ones if given.

        Raises StepError, the state unchanged, if the equations cannot be solved.
        """
        if not 0.0 < dt < np.inf:
            raise ValueError(f'dt: {dt} must be > 0')
        if forces is not None:
            self.forces[:] = forces
        if self._turns_freely:
            follow_references(self.model, self.work)
        if not (self._renew() and self._advance(dt)):
            raise StepError(f'{self.mechanism.name}: no step of {dt:g} s from z = {self.z}, '
                            f'zd = {self.zd}')

    def inverse_dynamics(self, zdd: ArrayLike) -> FloatArray:
        """Return the forces on the degrees of freedom (g) that give zdd (g) at this z, zd.

        They come beside the forces of the model.  Raises SingularPositionError, and MechanismError
        where bodies roll: a motion does not say what their contacts push.
        """
        cast(Any, self.mechanism).require_holonomic('inverse_dynamics')
        work = self._aside()
        work['zdd'][0, :self.mechanism.g] = zdd
        self._require(self._inverse(work))
        return work['forces'][0, :self.mechanism.g].copy()

    @property
    def multipliers(self) -> FloatArray:
        """The Lagrange multipliers (m) of the present state: M qdd + phi_q^T lam = Q."""
        return self._balanced()['lam'][0, :self.mechanism.m].copy()

    def reactions(self) -> Reactions | SpatialReactions:
        """Return the Reactions in the present state.  Raises SingularPositionError."""
        if self.mechanism.dimension == 3:
            return spatial_reactions_of(self.mechanism, self._balanced())
        return reactions_of(self.mechanism, self._balanced())

    def _balanced(self):
        """Return a copy of work with accelerations and multipliers by this formulation."""
        work = self._aside()
        self._require(integration.balance(self.model, work, self.number))
        return work

    def _aside(self):
        """Return a copy of work that may be changed; it is the same array every time."""
        if self._copy is None:
            self._copy = np.empty_like(self.work)
        self._copy.view(np.uint8)[:] = self.work.view(np.uint8)      # field by field is slow
        return self._copy

    def _inverse(self, work):
        """Write work.forces for work.zdd; return False at a singular position."""
        return integration.inverse_dynamics(self.model, work, self.number)

    def _require(self, solved):
        if not solved:
            why = weightless(self.mechanism.described, self.model, self.work,
                             self.mechanism.freedom.size)
            raise SingularPositionError(f'{self.mechanism.file}: singular at z = {self.z}'
                                        f'{why and f": {why}"}')

    @abstractmethod
    def _renew(self):
        """Let the accelerations belong to the present forces; return whether that is possible.

        Steps begin with them: the forces before would act for half a step more.
        """

    @abstractmethod
    def _advance(self, dt):
        """Advance work by dt; return False, the state unchanged, if that fails."""
