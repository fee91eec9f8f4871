"""Energy and power."""

from mb_model.jit import entry, kernel
from mb_model.kernels.efforts import write_efforts
from mb_model.kernels.forces import nonconservative_power, spring_energy
from mb_model.kernels.mass import gravity_energy
from mb_model.kernels.storage import multiply_mass


@kernel
def _energies(model, work):
    """Return (kinetic, potential) energy [J] at work.q, qd: gravity (0 at the origin), springs."""
    kinetic = 0.0
    multiply_mass(model, work, work.qd, work.momentum)
    for row in range(model.n):
        kinetic += 0.5 * work.qd[row] * work.momentum[row]
    return kinetic, gravity_energy(model, work.q) + spring_energy(model, work.q)


@entry
def energies(models, works):
    """Return (kinetic, potential) energy [J] at q, qd."""
    return _energies(models[0], works[0])


@entry
def energy_series(models, works, q, qd, inputs, out):
    """Write, for each row of q, qd (k, n), to out (k, 4): kinetic and potential energy [J], power
    of constant forces and power lost [W].  inputs (k, g): forces on the degrees of freedom.
    """
    model, work = models[0], works[0]
    for k in range(q.shape[0]):
        for row in range(q.shape[1]):
            work.q[row], work.qd[row] = q[k, row], qd[k, row]
        for row in range(inputs.shape[1]):
            work.forces[row] = inputs[k, row]
        write_efforts(model, work)
        out[k, 0], out[k, 1] = _energies(model, work)
        out[k, 2], out[k, 3] = nonconservative_power(model, work)
