"""Cases of users in MJCF: right answers of their READMEs."""

from pathlib import Path

import mujoco
from mujoco_truth import compare, residuals
import numpy as np
import pytest
from scipy.optimize import fsolve
from tree_dynamics import TreeDynamics

from mb_import.notes import Notes
from mb_import.options import ImportOptions
from mb_import.readers.mjcf import read
from mb_model import MechanismError

PUBLIC = Path(__file__).resolve().parents[4] / 'shared' / 'cases' / 'public'
pytestmark = pytest.mark.skipif(not PUBLIC.is_dir(), reason='needs ../shared/cases/public')
# driver, spring link -> coupler, follower [rad], distance of the pads' frames [m]
GRIPPER = [(0.0, 0.0, 0.0, 0.0, .098600), (0.4, 0.0, -0.422784, 0.662081, .090349),
           (0.4, 0.4, 0.001263, -0.385778, .058290), (0.8, 0.8, -0.000715, -0.766648, .012562),
           (0.2, 0.3, 0.144766, -0.495253, .072047)]


def machine_of(*names):
    """Return (Machine, its notes) of a case."""
    path = PUBLIC.joinpath(*names)
    notes = Notes(path.name)
    return read(path, ImportOptions(), notes), [str(note) for note in notes.notes]


@pytest.mark.parametrize(('driver', 'spring', 'coupler', 'follower', 'distance'), GRIPPER)
def test_the_gripper_closes_in_the_poses_of_its_readme(driver, spring, coupler, follower, distance):
    machine, _ = machine_of('06-robotiq-2f85-mjcf', '2f85.xml')

    def values(pair):
        return {f'{side}_{name}_joint': value for side in ('right', 'left') for name, value in zip(
            ('driver', 'spring_link', 'coupler', 'follower'), (driver, spring, *pair),
            strict=True)}

    def links(pair):
        given = values(pair)
        return TreeDynamics(machine, given, dict.fromkeys(given, 0.0)).links

    def gap(pair):
        placed = links(pair)
        closure = next(iter(machine.closures.values()))
        ends = [placed[link][0] + placed[link][1] @ frame.at for link, frame in zip(
            closure.links, closure.frames, strict=True)]
        return (ends[0] - ends[1])[1:]

    found = fsolve(gap, [coupler + 0.05, follower - 0.05], xtol=1e-13)
    np.testing.assert_allclose(found, [coupler, follower], atol=1e-6)
    pads = [links(found)[f'{side}_pad'][0] for side in ('right', 'left')]
    np.testing.assert_allclose(np.linalg.norm(pads[0] - pads[1]), distance, atol=1e-6)


def test_the_gripper_has_what_its_readme_says():
    machine, notes = machine_of('06-robotiq-2f85-mjcf', '2f85.xml')
    assert len(machine.links) == 14
    masses = [link.inertial.mass for link in machine.links.values() if link.inertial]
    np.testing.assert_allclose(sum(masses), 0.9, atol=5e-3)
    for closure in machine.closures.values():
        np.testing.assert_allclose(closure.frames[1].at, [0.0, 0.0061, 0.0476], atol=5e-6)
    (relation,) = machine.relations.values()
    assert relation.terms == {'right_driver_joint': 1.0, 'left_driver_joint': -1.0}
    assert machine.joints['right_driver_joint'].armature == 0.005
    assert machine.joints['right_spring_link_joint'].rest == 2.62
    assert machine.joints['right_coupler_joint'].upper == 0.0
    assert not any(note.startswith('left out: body base_mount') for note in notes)


def test_the_lash_has_its_play_and_its_motor_its_reference():
    machine, _ = machine_of('27-mujoco-backlash', 'calf_free_lash.xml')
    motor, lash = machine.joints['FR_calf_joint'], machine.joints['FR_calf_joint_b']
    np.testing.assert_allclose(lash.upper - lash.lower, 0.08)
    assert (motor.drawn, motor.armature, motor.friction) == (-1.8, 0.01, 0.2)
    path = PUBLIC / '27-mujoco-backlash' / 'calf_free_lash.xml'
    model = mujoco.MjModel.from_xml_path(str(path))
    for seed in range(3):
        compare(machine, model, seed)


def test_the_equality_of_the_lash_holds_it():
    machine, _ = machine_of('27-mujoco-backlash', 'calf_with_equality.xml')
    (relation,) = machine.relations.values()
    assert (relation.terms, relation.total) == ({'FR_calf_joint_b': 1.0}, 0.0)
    data = mujoco.MjData(mujoco.MjModel.from_xml_path(str(
        PUBLIC / '27-mujoco-backlash' / 'calf_with_equality.xml')))
    data.qpos[1] = 0.02
    assert residuals(machine, data)[1][relation.name] == 0.02


def test_the_snippet_is_no_mjcf():
    with pytest.raises(MechanismError, match='<xml>: expected <mujoco>'):
        machine_of('27-mujoco-backlash', 'issue_995_snippet.xml')
