"""Kinetic and potential energy."""


from mb_model.jit import kernel
from mb_model.kernels.forces import spring_energy
from mb_model.kernels.mass import gravity_energy
from mb_model.kernels.storage import multiply_mass


@kernel
def energies(model, work):
    """Return (kinetic, potential) energy [J] at work.q, qd: gravity (0 at the origin), springs."""
    kinetic, momentum = 0.0, work.vector1
    multiply_mass(model, work, work.qd, momentum)
    for row in range(model.n):
        kinetic += 0.5 * work.qd[row] * momentum[row]
    return kinetic, gravity_energy(model, work.q) + spring_energy(model, work.q)
