"""What the piston meets at the ends of its stroke: a spring that pushes back only.

    F = k x max(0, 1 + c xd),      x: how far the piston is beyond the end

Continuous when they meet; damped like the contact of Hunt and Crossley 1975.
"""

from mb_model.jit import kernel


@kernel
def stop_force(circuit, k, s, sd):
    """Return (F, dF/ds, dF/dsd) on the length s of cylinder k, positive where it extends it [N]."""
    extended = s - circuit.retracted[k]
    beyond, outward = extended - circuit.stroke[k], 1.0
    if extended < 0.0:
        beyond, outward = -extended, -1.0
    harder = 1.0 + circuit.stop_damping[k] * outward * sd
    if beyond <= 0.0 or harder <= 0.0:
        return 0.0, 0.0, 0.0
    stiffness = circuit.stop_stiffness[k]
    return (-outward * stiffness * beyond * harder, -stiffness * harder,
            -stiffness * beyond * circuit.stop_damping[k])
