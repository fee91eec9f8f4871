"""The motion of a mechanism by scipy's integrators, with a small error, as a truth."""

import numpy as np
from scipy.integrate import solve_ivp

from mb_model import Run, make_stepper
from mb_model.kernel_api import entry_points

TOLERANCE = 1e-10


def true_run(mechanism, duration, dt, method='DOP853'):
    """Return the Run of the degrees of freedom integrated by scipy, at steps of dt [s].

    method: of scipy.integrate.solve_ivp, with a relative and absolute tolerance of 1e-10.
    """
    stepper, g = make_stepper(mechanism, 'matrix_r', 'rk4'), mechanism.g

    def place(x):
        stepper.q[:] = mechanism.assemble(x[:g], stepper.q)
        stepper.z[:], stepper.zd[:] = x[:g], x[g:]
        entry_points.forward_dynamics(stepper.model, stepper.work)

    def rates(_, x):
        place(x)
        return np.concatenate([x[g:], stepper.zdd])

    t = np.arange(round(duration / dt) + 1) * dt
    motion = solve_ivp(rates, (0.0, t[-1]), np.concatenate([mechanism.z0, mechanism.zd0]), method,
                       t, rtol=TOLERANCE, atol=TOLERANCE).y.T
    stepper.reset()
    rows = []
    for x in motion:
        place(x)
        rows.append([state.copy() for state in (stepper.z, stepper.zd, stepper.zdd, stepper.q,
                                                stepper.qd, stepper.qdd)])
    return Run(mechanism, t, *(np.array(column) for column in zip(*rows, strict=True)),
               forces=np.zeros((len(t), g)))


def true_bend(mechanism, duration, dt, method='DOP853'):
    """Return the coordinate `bend` of true_run [rad]."""
    place = list(mechanism.coordinates).index('bend')
    return true_run(mechanism, duration, dt, method).q[:, place]
