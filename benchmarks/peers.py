"""Peers: those that are installed, and what they, without slender bodies, make of such."""

from importlib import import_module
import sys
from types import ModuleType

import mujoco
import numpy as np

from mb_simulation.prototypes import make_prototype


def installed(name: str) -> ModuleType | None:
    """Return a module of this folder that needs a peer, None where that is not installed."""
    sys.exudynFast = True      # EXUDYN's module without range checks
    try:
        return import_module(f'benchmarks.{name}')
    except ModuleNotFoundError as error:
        print(f'{error.name} is not installed (pip install -r requirements-benchmarks.txt): '
              'left out')
        return None


def mujoco_step(mechanism, step):
    """Return a function that makes one step of a mechanism in MuJoCo."""
    prototype = make_prototype('mujoco', mechanism, step, step)
    return lambda: mujoco.mj_step(prototype.model, prototype.data)


def line_of(body):
    """Return the direction of a slender body's line in its frame (3)."""
    return np.asarray(body.line, float)


def frame_of_line(line):
    """Return axes as columns (3, 3), the last one along a line."""
    across = np.linalg.svd(line[None])[2][1]
    return np.column_stack([across, np.cross(line, across), line])


def thin_inertia(body):
    """Return the inertia of a body (3, 3) without that about the line of a slender one."""
    if not body.slender:
        return body.inertia
    line = line_of(body)
    return body.inertia - np.outer(line, line) * (line @ body.inertia @ line)


def universal_joints(mechanism):
    """Return the names of the ball joints that keep lines from turning about themselves.

    For each slender body, or pair of them in a sleeve, the first of its ball joints.
    """
    bodies, chosen = mechanism.bodies, {}
    line = {name: name for name, body in bodies.items() if body.slender}
    for joint in mechanism.joints.values():
        if joint.kind == 'cylindrical' and all(name in line for name in joint.bodies):
            kept, other = (line[name] for name in joint.bodies)
            line = {name: kept if of == other else of for name, of in line.items()}
    for joint in mechanism.joints.values():
        for name in joint.bodies:
            if joint.kind == 'spherical' and name in line:
                chosen.setdefault(line[name], joint.name)
    return set(chosen.values())
