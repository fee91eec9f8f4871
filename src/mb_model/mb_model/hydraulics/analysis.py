"""How fast a mechanism swings on its oil."""

import numpy as np

from mb_model.mechanism.analysis import analyse


def oil_frequencies(mechanism, z=None, p=None):
    """Return the frequencies (g) [Hz] of the mechanism on the springs that its closed-in oil makes.

    z (g), p (v): where it is at rest, default the start.  Nothing but inertia and oil: springs of
    the mechanism, weight and friction are left out; 0 where no cylinder holds.
    """
    circuit = mechanism.circuit
    q = mechanism.assemble(mechanism.z0 if z is None else z)
    p = circuit.p0 if p is None else p
    still = np.zeros(len(circuit.cylinders))
    s = q[circuit.cylinder_coordinates]
    _, by_p = circuit.force_derivatives(p, still)
    slopes = circuit.derivatives(s, still, p, np.zeros(len(circuit.valves)))
    along = mechanism.R(q)[circuit.cylinder_coordinates]
    stiffness = -along.T @ by_p @ slopes.pd_sd @ along
    squares = np.linalg.eigvals(
        np.linalg.solve(analyse(mechanism, q).reduced_mass, stiffness)).real
    return np.sort(np.sqrt(np.maximum(squares, 0.0))) / (2.0 * np.pi)
