"""States a little later, for pictures of one instant."""

from mb_model import MechanismError

FARTHEST = 0.2              # that a state is taken along its motion [s]


def moved_on(mechanism, q, z, zd, zdd, passed):
    """Return q (n) after some time [s] of constant zdd (g), or the same q if that is impossible.
    """
    if not 0.0 < passed < FARTHEST or not len(z) == len(zd) == len(zdd) == mechanism.g:
        return q
    try:
        return mechanism.assemble(z + passed * (zd + 0.5 * passed * zdd), near=q)
    except MechanismError:
        return q
