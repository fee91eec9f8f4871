"""Reactions of the joints as messages."""

from mb_interfaces.msg import Reaction


def reaction_messages(reactions):
    """Return a Reaction for every body at every pin, slider, weld and angle that acts on it."""
    pins = [Reaction(body=body, joint=point, x=float(force[0]), y=float(force[1]))
            for body, points in reactions.forces.items() for point, force in points.items()]
    return pins + [
        Reaction(body=body, joint=name, x=float(force[0]), y=float(force[1]), moment=float(moment))
        for name, bodies in reactions.couplings.items()
        for body, (force, moment) in bodies.items()]
