"""Machines from descriptions against other readers of the same files: dynamics, time to load.

MuJoCo and Pinocchio read the tree of a file; its loops are ours: M_bar = R^T M R and the forces
that a motion without accelerations of the degrees of freedom needs, R^T (M S + h), at random
states.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
import time
from xml.etree import ElementTree

import mujoco
import numpy as np

from benchmarks.figures import Figure
from mb_model import Mechanism, MechanismError, SingularPositionError, load_mechanism

FOLDER = Path(__file__).parents[1] / 'src' / 'mb_import' / 'test' / 'descriptions'
PUBLIC = Path(__file__).resolve().parents[2] / 'shared' / 'cases' / 'public'
LIMIT, PATIENCE = 1e-9, 2.0      # of relative differences; of loading [s]
STATES, SEED = 5, 1
SUFFIXES = '.urdf', '.xml', '.sdf', '.usda', '.xacro'

Tree = Callable[[dict[str, float], dict[str, float]], tuple[np.ndarray, np.ndarray, list[str]]]


def measure() -> list[Figure]:
    """Return the figures of all descriptions that load as they are."""
    figures = []
    load_mechanism(FOLDER / 'gripper.xml')           # starts the process of MuJoCo, loads kernels
    for path in descriptions():
        start = time.perf_counter()
        try:
            machine = load_mechanism(path)
        except ValueError as error:
            print(f'{path.name}: left out: {error}')
            continue
        figures.append(Figure(f'{path.name}: time to load', time.perf_counter() - start, 's',
                              PATIENCE))
        for peer, read in (('mujoco', mujoco_tree), ('pinocchio', pinocchio_tree)):
            try:
                tree = read(path)
            except (ValueError, ImportError, ElementTree.ParseError) as error:
                print(f'{path.name}: {peer} does not read it: {str(error).splitlines()[0]}')
                continue
            ours = without_rotors(machine) if path.suffix == '.urdf' else machine
            if tree is not None and (error := difference(ours, tree)) is not None:
                figures.append(Figure(f'{path.name}: M_bar and bias, against {peer}', error,
                                      'of the largest', LIMIT, peer=peer))
    return figures


def descriptions() -> Iterator[Path]:
    """Yield our descriptions, then those of users where they are."""
    yield from sorted(path for path in FOLDER.iterdir() if path.suffix in SUFFIXES)
    if PUBLIC.is_dir():
        yield from sorted(path for path in PUBLIC.glob('*/*') if path.suffix in SUFFIXES)


def without_rotors(machine: Mechanism) -> Mechanism:
    """Return a machine without armatures, which peers do not read in transmissions of URDF."""
    coordinates = {name: {key: value for key, value in one.items() if key != 'armature'}
                   for name, one in machine.raw.get('coordinates', {}).items()}
    return Mechanism(dict(machine.raw) | {'coordinates': coordinates}, machine.file)


def difference(machine: Mechanism, tree: Tree) -> float | None:
    """Return the largest difference of inertia and bias, relative.

    None where joints have no coordinates here, or bodies no masses.
    """
    rng, worst, done = np.random.default_rng(SEED), 0.0, 0
    for _ in range(10 * STATES):
        z = machine.z0 + rng.uniform(-0.03, 0.03, machine.g)
        zd = rng.uniform(-1.0, 1.0, machine.g)
        try:
            q = machine.assemble(z)
        except SingularPositionError:
            continue
        qd = machine.velocity(q, zd)
        names = machine.coordinates
        try:
            mass, bias, order = tree(dict(zip(names, q, strict=True)),
                                     dict(zip(names, qd, strict=True)))
            ours = machine.operational_space(z, zd)
        except (KeyError, MechanismError):
            return None
        rows = [names.index(name) for name in order]
        to_joints = machine.R(q)[rows]
        rest = machine.acceleration(q, qd, np.zeros(machine.g))[rows]
        for one, other in ((ours.mass, to_joints.T @ mass @ to_joints),
                           (ours.coriolis @ zd + ours.gravity,
                            to_joints.T @ (mass @ rest + bias))):
            worst = max(worst, np.abs(one - other).max() / max(np.abs(one).max(), 1e-3))
        done += 1
        if done == STATES:
            return worst
    return None


def mujoco_tree(path: Path) -> Tree | None:
    """Return MuJoCo's tree of a file; None for formats that it does not have."""
    if path.suffix not in ('.urdf', '.xml'):
        return None
    spec = mujoco.MjSpec.from_file(str(path))
    for geom in list(spec.geoms):
        if geom.type == mujoco.mjtGeom.mjGEOM_MESH:
            spec.delete(geom)
    for mesh in list(spec.meshes):
        spec.delete(mesh)
    model = spec.compile()
    data = mujoco.MjData(model)
    order = [model.joint(k).name for k in range(model.njnt)]
    if not model.nv or model.nv != model.njnt:
        return None

    def tree(q: dict[str, float], qd: dict[str, float]) -> tuple[np.ndarray, np.ndarray, list[str]]:
        data.qpos[:], data.qvel[:] = ([values[name] for name in order] for values in (q, qd))
        mujoco.mj_forward(model, data)
        mass = np.empty((model.nv, model.nv))
        mujoco.mj_fullM(model, data, mass)
        return mass, data.qfrc_bias.copy(), order

    return tree


def pinocchio_tree(path: Path) -> Tree | None:
    """Return Pinocchio's tree of a URDF; None for other formats."""
    if path.suffix != '.urdf':
        return None
    children = [one.get('link') for one in ElementTree.parse(path).iter('child')]
    if len({*children}) < len(children):
        raise ValueError('a link has two parents')
    import pinocchio as pin
    model = pin.buildModelFromUrdf(str(path))
    data = model.createData()
    order = list(model.names)[1:]
    if not order or model.nv != len(order):
        return None

    def tree(q: dict[str, float], qd: dict[str, float]) -> tuple[np.ndarray, np.ndarray, list[str]]:
        place = np.concatenate([
            [np.cos(q[name]), np.sin(q[name])] if joint.nq == 2 else [q[name]]
            for name, joint in zip(order, list(model.joints)[1:], strict=True)])
        speed = np.array([qd[name] for name in order])
        upper = np.triu(pin.crba(model, data, place))
        return (upper + np.triu(upper, 1).T,
                np.array(pin.nonLinearEffects(model, data, place, speed)), order)

    return tree
