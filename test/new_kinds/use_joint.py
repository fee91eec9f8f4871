"""What is made of the kind of joints in examples/own_joint, as JSON."""

import json
from pathlib import Path
import sys
import tempfile

import numpy as np

from mb_evaluation.robot import RobotDescription
from mb_model import Mechanism, MechanismError, animate, make_stepper, simulate
from mb_model.file_api import adams_model
from mb_model.kind_api import schema_page
from mb_model.space_api import body_tree
from mb_simulation.prototypes import make_prototype
from mb_simulation.prototypes.mjcf import mujoco_spec

ADAMS = """a title
PART/1, GROUND
PART/2, MASS = 1, CM = 3, IP = 0.04, 0.1, 0.1
MARKER/1, PART = 1, REULER = 90D, 30D, 0
MARKER/2, PART = 2, REULER = 90D, 30D, 0
MARKER/3, PART = 2, QP = 2, 0, 0
JOINT/1, NOTCH, I = 2, J = 1
END
"""


def pendulum(first='ground', second='bob'):
    """Return a pendulum on a notch, whose joint leads from one of its bodies to the other."""
    return Mechanism({
        'name': 'notch', 'dimension': 3,
        'bodies': {'bob': {'mass': 2.0, 'centre_of_gravity': [0.0, 0.0, -0.4],
                           'inertia': [0.01, 0.02, 0.03], 'points': {'end': [0.0, 0.0, -0.5]}}},
        'joints': {'notch': {'kind': 'notch', 'bodies': [first, second], 'stiffness': 5.0,
                             'damping': 0.3, 'at': [[0.0, 0.0, 0.0]] * 2,
                             'axis': [0.0, 1.0, 0.0]}},
        'coordinates': {'bend': {'kind': 'angle', 'joint': 'notch'}},
        'start': {'bend': 0.4}, 'start_velocity': {'bend': 0.7}}, 'notch.yaml')


def of(machine):
    """Return motions and forces of a machine."""
    ours, theirs = make_stepper(machine, 'semi_recursive'), make_prototype(
        'mujoco', machine, 1e-2, 1e-3)
    z, zd = machine.z0, machine.zd0
    for _ in range(50):
        theirs.advance()
        for _ in range(10):
            ours.step(1e-3)
    stepper = make_stepper(machine)
    stepper.reset(z, zd)
    reaction = stepper.reactions().joints['notch']
    spec = mujoco_spec(machine, body_tree(machine), 1e-3)
    spec.compile()
    return {'zdd': machine.forward_dynamics(z, zd), 'slopes': np.ravel(machine.linearise(z, zd)),
            'end': [ours.z, ours.zd], 'prototype': [theirs.state.z, theirs.state.zd],
            'force': reaction.force, 'moment': reaction.moment,
            'mjcf': spec.to_xml()}


def main():
    """Print what comes out."""
    machine = pendulum()
    robot = RobotDescription(machine)
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / 'page.html'
        animate(simulate(machine, 0.1, 1e-2), page, fps=20.0)
        drawn = len(page.read_text())
    try:
        pendulum(second='bib')
    except MechanismError as error:
        wrong = str(error)
    json.dump({'forwards': of(machine), 'backwards': of(pendulum('bob', 'ground')), 'page': drawn,
               'urdf': robot.urdf, 'joints': robot.read(machine.q0, machine.velocity(
                   machine.q0, machine.zd0)), 'adams': adams_model(ADAMS, 'a.adm').raw,
               'schema': schema_page(3), 'wrong': wrong}, sys.stdout, default=np.ndarray.tolist)


if __name__ == '__main__':
    main()
