"""Bodies in MuJoCo and their oil as one system, in SciPy's stiff integrator.

LSODA (Petzold 1983) changes between Adams' methods and backward differentiation formulas, chooses
order and steps itself, and keeps the error of each within tolerances.
"""

import numpy as np

from mb_model import StepError

PLACE, RATE, PRESSURE, SPOOL = 1e-9, 1e-7, 1.0, 1e-8      # absolute tolerances: SI units, Pa
RELATIVE = 1e-8
STEPS = 10000               # in one interval, before it is given up


class StiffSteps:
    """Integrates y' = rates(y) over many steps until it is restarted."""

    def __init__(self, rates, joints, volumes, spools, longest, clock):
        """Take a function that writes rates; counts of the parts of y; longest: step [s].

        clock (1): the time that rates are of [s], written before each call.
        """
        from scipy.integrate import ode  # here: it takes a fifth of a second, for oil alone
        self._out = np.empty(2 * joints + volumes + spools)
        self._y = np.empty_like(self._out)
        self._rates = rates
        tolerances = np.repeat([PLACE, RATE, PRESSURE, SPOOL], [joints, joints, volumes, spools])
        self._solver = ode(self._function).set_integrator(
            'lsoda', rtol=RELATIVE, atol=tolerances, max_step=longest, nsteps=STEPS)
        self._made, self._clock, self._time = None, clock, float(clock[0])

    def interrupt(self):
        """Restart with the next step: other forces act from here on."""
        self._made = None

    def advance(self, y, h):
        """Move y on by h [s]; raises StepError, y unchanged, where the integrator gives up.

        Afterwards other outputs of rates, such as a simulator's state, are of any trial.
        """
        if self._made is None:
            self._solver.set_initial_value(y, 0.0)
            self._made, self._begun = 0, self._time
        self._made += 1
        found = self._solver.integrate(self._made * h)
        self._clock[0] = self._time
        if not self._solver.successful():
            self._made = None
            raise StepError(f'no step of {h:g} s of bodies and oil: LSODA ended with '
                            f'{self._solver.get_return_code()}')
        y[:] = found
        self._clock[0] = self._time = self._begun + self._made * h

    def _function(self, t, y):
        self._clock[0] = self._begun + t
        self._y[:] = y
        self._rates(self._y, self._out)
        return self._out
