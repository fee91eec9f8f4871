"""What a formulation of the equations of motion consists of."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from mb_model.assembly.compiled_mechanism import CompiledMechanism
from mb_model.formulations.tableaux import TABLEAUX
from mb_model.jit import kernel
from mb_model.settings import Settings as AnySettings


class Integrates(IntEnum):
    """What of a motion is integrated; what else there is follows from it by kinematics."""

    INDEPENDENT = 0     # the degrees of freedom
    COORDINATES = 1     # all coordinates
    JOINTS = 2          # joint coordinates, chosen anew before each step

    @property
    def words(self) -> str:
        """What it is, for people."""
        return ('degrees of freedom', 'all coordinates', 'independent joints')[self]


# The series of the exponential integrator: name -> its last power.
SERIES = {f'exponential_{order}': order for order in range(5)}
_INTEGRATORS = ('trapezoidal', *TABLEAUX)


@dataclass(frozen=True)
class NoSettings(AnySettings):
    """A formulation with nothing to set."""


@kernel
def nothing_to_choose(model, work):
    """Stand in for the choice of what is integrated."""
    return True


@kernel
def nothing_to_solve(model, work):
    """Stand in for multipliers that accelerations have given."""


@dataclass(frozen=True, eq=False)
class FormulationKind:
    """A formulation: kernels of (model, work), see integration.dynamics for what they must do.

    accelerations: at the q, qd that are integrated write all accelerations, return whether solved;
    inverse: at q, zd, zdd write the forces on the degrees of freedom, return whether solved;
    choose: before a step, choose what is integrated; multipliers: after accelerations, write lam;
    both only where that is needed.  They take records of sparse storage, too, of mechanisms with
    these `sparse_dimensions`, 2 for the plane and 3 for space.
    rolls: whether accelerations keep bodies from slipping that roll, see kernels.rolling.
    integrates: Integrates.INDEPENDENT needs what linearise reads, so that exact derivatives of zdd
    are at hand.  Settings: their values go to the fields of work of that name.
    Functions in Python, where the common ones do not serve:
    steps: integrator -> what returns a compiled function (models, works, dt), which advances work
    and returns whether it can; renewal: what returns one (models, works), for accelerations under
    new forces from outside; called when they are needed, so that nothing is compiled before;
    prepare(mechanism): return (model, plan): the model that the kernels work on, and what the
    next two need; raises MechanismError for a mechanism that it is not for;
    enter(mechanism, plan, model, works): write what is integrated from q and qd;
    reactions(mechanism, plan, model, works): return the Reactions of a workspace.
    """

    name: str
    description: str
    integrates: Integrates
    accelerations: Any
    inverse: Any
    choose: Any = nothing_to_choose
    multipliers: Any = nothing_to_solve
    Settings: type[AnySettings] = NoSettings
    sparse_dimensions: tuple[int, ...] = ()
    rolls: bool = False
    steps: Mapping[str, Callable[[], Any]] = field(default_factory=dict)
    renewal: Callable[[], Any] | None = None
    prepare: Callable[..., Any] | None = None
    enter: Callable[..., Any] | None = None
    reactions: Callable[..., Any] | None = None

    def serves(self, mechanism: CompiledMechanism) -> bool:
        """Return whether it is for mechanisms of this one's storage, dimension and contacts."""
        if mechanism.model['rolls'][0] and not self.rolls:
            return False
        return not mechanism.is_sparse or mechanism.dimension in self.sparse_dimensions

    @property
    def integrators(self) -> tuple[str, ...]:
        """The names of its integrators; the first is the default."""
        if self.steps:
            return tuple(self.steps)
        if self.integrates == Integrates.INDEPENDENT:
            return (*_INTEGRATORS, 'exponential', *SERIES)
        return _INTEGRATORS
