"""What every formulation offers: a state that is advanced step by step."""

from abc import ABC, abstractmethod

import numpy as np

from mb_model.description import MechanismError
from mb_model.kernels import entry_points


class StepError(RuntimeError):
    """A step that could not be made; the state is as it was before."""


class Stepper(ABC):
    """A mechanism in motion.  Kernels of filters work on `model` and `work` directly.

    z, zd, zdd, forces (g) and q, qd, qdd (n) are views of the state: they change with it.
    forces: on the degrees of freedom, beside those of the model [N or N m]; kept between steps.
    """

    integrators = ()      # names, the first is the default
    serves_sparse = False     # whether its kernels work on sparse storage, too

    def __init__(self, mechanism, integrator=None):
        self.mechanism = mechanism
        self.integrator = integrator or self.integrators[0]
        if self.integrator not in self.integrators:
            raise ValueError(f'integrator: {integrator}: unknown with this formulation, expected '
                             f'one of {", ".join(self.integrators)}')
        self.model, self.work = mechanism.model, mechanism.new_work()
        self._bind()
        self.reset()

    def _bind(self):
        """Make the views of the state in work."""
        mechanism, work = self.mechanism, self.work[0]
        self.q, self.qd, self.qdd = (work[name][:mechanism.n] for name in ('q', 'qd', 'qdd'))
        self.z, self.zd, self.zdd, self.forces = (
            work[name][:mechanism.g] for name in ('z', 'zd', 'zdd', 'forces'))

    def __getstate__(self):
        return {name: vars(self)[name] for name in ('mechanism', 'integrator', 'model', 'work')}

    def __setstate__(self, state):
        vars(self).update(state)
        self._bind()      # copied views would be arrays of their own

    def reset(self, z=None, zd=None, near=None):
        """Start at z, zd (default: the mechanism's start), with the accelerations of the dynamics.

        near: coordinates (n) to start the position problem from.  Raises MechanismError.
        """
        z = self.mechanism.z0 if z is None else z
        self.q[:] = self.mechanism.assemble(z, near)
        self.z[:] = z
        self.zd[:] = self.mechanism.zd0 if zd is None else zd
        self.forces[:] = 0.0
        self.refresh()

    def refresh(self):
        """Make qd, zdd, qdd and the multipliers consistent with q, z, zd and forces."""
        if not entry_points.forward_dynamics(self.model, self.work):
            raise MechanismError(f'{self.mechanism.file}: singular at z = {self.z}')

    def step(self, dt, forces=None):
        """Advance by dt [s]; forces (g) replace those of the last step if given.

        Raises StepError, the state unchanged, if the equations cannot be solved.
        """
        if not 0.0 < dt < np.inf:
            raise ValueError(f'dt: {dt} must be > 0')
        if forces is not None:
            self.forces[:] = forces
        if not self._advance(dt):
            raise StepError(f'{self.mechanism.name}: no step of {dt:g} s from z = {self.z}, '
                            f'zd = {self.zd}')

    @abstractmethod
    def _advance(self, dt):
        """Advance work by dt; return False, the state unchanged, if that fails."""
