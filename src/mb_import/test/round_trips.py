"""A mechanism and what is read from the file that was written of it, at the same states."""

from itertools import combinations, islice

import numpy as np

from mb_model import Mechanism, MechanismError, SingularPositionError
from mb_model.space_api import GROUND

_LACKING = 'forces', 'hydraulics', 'sensors', 'sensor_groups', 'drives', 'model_errors', 'origin'


def bare(mechanism):
    """Return a mechanism without forces, oil and sensors, which files of other formats lack."""
    def kept(part):
        return {key: value for key, value in part.items() if key not in _LACKING}

    raw = kept(mechanism.raw)
    if 'repeat' in raw:
        raw['repeat'] = {name: kept(part) for name, part in raw['repeat'].items()}
    return Mechanism(raw, mechanism.file)


def scalar_values(machine, mechanism, q, qd):
    """Return joint -> (value, rate) of hinges and slides between two bodies of a mechanism."""
    moved = {name: mechanism.body_motion(name, q, qd) for name in (GROUND, *mechanism.bodies)}
    moved['world'] = moved[GROUND]
    found = {}
    for name, joint in machine.joints.items():
        if joint.kind not in ('revolute', 'prismatic') or not {*joint.links} <= {*moved}:
            continue
        first, second = (moved[link] for link in joint.links)
        frame, other = joint.frames
        axes = first.rotation @ frame.turn
        axis, turned = axes @ joint.axis, axes.T @ second.rotation @ other.turn
        if joint.kind == 'revolute':
            sine = 0.5 * np.array([turned[2, 1] - turned[1, 2], turned[0, 2] - turned[2, 0],
                                   turned[1, 0] - turned[0, 1]]) @ joint.axis
            found[name] = (np.arctan2(sine, 0.5 * (np.trace(turned) - 1.0)),
                           axis @ (second.angular_velocity - first.angular_velocity))
        else:
            ends = second.position_of(other.at), first.position_of(frame.at)
            speed = (second.velocity_of(other.at) - first.velocity_of(frame.at)
                     - np.cross(first.angular_velocity, ends[0] - ends[1]))
            found[name] = axis @ (ends[0] - ends[1]), axis @ speed
    return found


def read_back(raw, mechanism, machine):
    """Return (mechanism, joints of its degrees of freedom) of a mapping that was read."""
    given = {key: value for key, value in raw.items() if key not in (
        'sensors', 'sensor_groups', 'drives', 'origin', 'forces')}
    known = list(scalar_values(machine, mechanism, mechanism.q0, None))
    usual = [name if mechanism.dimension == 2 else getattr(
        mechanism.described.coordinates.get(name), 'joint', name)
        for name in mechanism.independent]
    said = ''
    for names in (usual, *islice(combinations(known, mechanism.g), 12)):
        if {*names} <= {*known}:
            try:
                return Mechanism(given | {'independent': list(names)}, 'back.yaml'), list(names)
            except (MechanismError, SingularPositionError) as error:
                said = said or str(error)
    raise AssertionError(said or f'{usual}: not of {known}')


def differences(mechanism, machine, raw, shift=None, states=3):
    """Return the largest difference of kinetic energies and accelerations of bodies, relative.

    mechanism: without forces; machine: of it; raw: mapping of what was read back; shift: joint ->
    by how much less its coordinate is there.
    """
    back, names = read_back(raw, mechanism, machine)
    less = np.array([(shift or {}).get(name, 0.0) for name in names])
    rng, worst = np.random.default_rng(4), 0.0
    for _ in range(states):
        z = mechanism.z0 + rng.uniform(-0.03, 0.03, mechanism.g)
        energies, q, qd, qdd = state_of(mechanism, z, rng.uniform(-1.0, 1.0, mechanism.g))
        values = scalar_values(machine, mechanism, q, qd)
        known = np.array([values[name] for name in names])
        theirs, *state = state_of(back, near(known[:, 0] - less, back.z0), known[:, 1])
        worst = max(worst, abs(energies[0] - theirs[0]) / energies[0])
        for name in mechanism.bodies.keys() & back.bodies.keys():
            body, same = mechanism.bodies[name], back.bodies[name]
            if abs(body.mass - same.mass) > 1e-12 * body.mass:
                continue         # others are welded to it
            at, there = [*body.centre_of_gravity, 0.0][:3], same.centre_of_gravity
            one, other = mechanism.body_motion(name, q, qd, qdd), back.body_motion(name, *state)
            np.testing.assert_allclose(one.position_of(at), other.position_of(there), atol=1e-9)
            push = one.acceleration_of(at)
            worst = max(worst, np.abs(push - other.acceleration_of(there)).max()
                        / max(1.0, np.abs(push).max()))
    return worst


def state_of(mechanism, z, zd):
    """Return (energies, q, qd, qdd) at z, zd, without forces from outside."""
    q = mechanism.assemble(z)
    qd = mechanism.velocity(q, zd)
    zdd = mechanism.forward_dynamics(z, zd)
    return mechanism.energy(z, zd), q, qd, mechanism.acceleration(q, qd, zdd)


def near(values, other):
    """Return angles or travels, moved by whole turns where that brings them next to others."""
    turns = np.round((other - values) / (2.0 * np.pi))
    moved = values + 2.0 * np.pi * turns
    return np.where(np.abs(moved - other) < 0.5, moved, values)
