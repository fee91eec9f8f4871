"""Single bodies on one joint or spring that MSC Adams has simulated, from a folder of Chrono.

The folder (data/testing/joints of projectchrono/chrono) has models, adams_models/test_<case>.adm,
and results, <kind>/<case>_ADAMS_<quantity>.txt.  CASES are those whose .adm is missing or has other
numbers than the results (RotSpring_Case01: the spring; TransSpring_Case01: start, damper).  Their
numbers are from Chrono's own models of them, src/tests/unit_tests/joints/utest_JOINT_*.cpp.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from mb_model.file_api import AdamsModel, Reaction, adams_model, reaction_on_i, read_adams

FOLDER = Path(__file__).resolve().parents[2] / 'shared/spatial_reference/adams_joints'
DT = 0.01                       # s, between rows
_HEAD = 3                       # lines before the first row
_TURNED = ', REULER = 180D, 90D, 180D'          # z along global y

_BODY = """{name}
PART/1, GROUND
PART/2, MASS = 1, CM = 21, IP = {inertia}{speed}
MARKER/11, PART = 1, QP = {ground}{turned}
MARKER/21, PART = 2, QP = {centre}{body_turned}
MARKER/22, PART = 2, QP = {place}{turned}
ACCGRAV/, KGRAV = -9.80665
{connected}
"""


@dataclass(frozen=True)
class Case:
    """A model, what Adams reports of its moving part, the folder of the results.

    reactions: by what is behind Rforce and Rtorque in the names of files.
    """

    name: str
    model: AdamsModel
    reactions: dict[str, Reaction]
    folder: Path

    @property
    def kind(self) -> str:
        """What connects the body."""
        return self.name.partition('_')[0]

    def results(self) -> dict[str, np.ndarray]:
        """Return quantity -> rows of the file of it (k, 3 or 4), at 0, DT, ... s."""
        return {file.stem.partition('_ADAMS_')[2]: np.loadtxt(file, skiprows=_HEAD)[:, 1:]
                for file in sorted(self.folder.glob(f'{self.name}_ADAMS_*.txt'))}

    def digits(self, quantity: str) -> int:
        """Return to how many digits the file of a quantity has been rounded: 6 or 7."""
        text = (self.folder / f'{self.name}_ADAMS_{quantity}.txt').read_text()
        numbers = [number for row in text.splitlines()[_HEAD:] for number in row.split()[1:]]
        return 6 if all(number.partition('E')[0].endswith('0') for number in numbers) else 7


def names_in(folder: Path) -> list[str]:
    """Return the names of all cases with results in a folder."""
    return sorted({file.name.partition('_ADAMS_')[0] for file in folder.glob('*/*_ADAMS_*.txt')})


def find_case(folder: Path, name: str) -> Case:
    """Return a case by name.

    Raises AdamsError where the model cannot be read, OSError where there is none.
    """
    place = next(folder.glob(f'*/{name}_ADAMS_*.txt')).parent
    if name in CASES:
        return Case(name, *CASES[name](name), place)
    model = read_adams(folder / 'adams_models' / f'test_{name}.adm')
    return Case(name, model, {'': reaction_on_i(model.raw)}, place)


def _model(name, connected, ground, place, centre, **more):
    values = {'inertia': '0.04, 0.1, 0.1', 'turned': '', 'body_turned': '', 'speed': ''} | more
    return adams_model(_BODY.format(name=name, connected=connected, **values, **{
        key: ', '.join(map(str, value)) for key, value in (
            ('ground', ground), ('place', place), ('centre', centre))}), f'{name}.adm')


def _rotational_spring(torque):
    """Return a pendulum with a spring in its hinge about the global y axis."""
    def case(name):
        model = _model(name, f'JOINT/1, REVOLUTE, I = 11, J = 22\n'
                             f'SFORCE/1, ROTATIONAL, I = 11, J = 22, FUNCTION = {torque}',
                       (0, 0, 0), (0, 0, 0), (2, 0, 0), turned=_TURNED, body_turned=_TURNED)
        return model, {'': reaction_on_i(model.raw)}
    return case


def _spring(law, ground, place, centre, body_turned=''):
    """Return a body on a spring from its place to the ground; law: over DM and VR."""
    def case(name):
        function = law.replace('DM', 'DM(11, 22)').replace('VR', 'VR(11, 22)')
        model = _model(name, f'SFORCE/1, TRANSLATIONAL, I = 11, J = 22, FUNCTION = {function}',
                       ground, place, centre, body_turned=body_turned)
        return model, {'': reaction_on_i(model.raw)}
    return case


def _spring_from_its_anchor(stiffness, damping):
    """Return a body that falls from the anchor of its spring, which has no rest length.

    A distance has no direction there.  As long as it falls along a line through the anchor, three
    springs along the global axes pull in the same way: Adams's body does.
    """
    def case(name):
        model = _model(name, '', (0, 0, 0), (0, 0, 0), (0, 0, 0))
        model.raw['coordinates']['place'] = {'kind': 'position', 'body': 'part2'}
        model.raw['forces'] = {f'spring_{axis}': {
            'kind': 'spring_damper', 'coordinate': f'place.{axis}', 'stiffness': stiffness,
            'damping': damping} for axis in 'xyz'}
        return model, {'': Reaction(tuple(model.raw['forces']), 'ground', (0, 0, 0))}
    return case


def _revolute_spherical(ground, axis, ball, centre):
    """Return a body on a massless rod: a hinge on the ground, a ball joint on the body."""
    def case(name):
        model = _model(name, '', ground, ball, centre, inertia='0.1, 0.04, 0.1')
        model.raw['joints']['rod'] = {
            'kind': 'revolute_spherical', 'bodies': ['ground', 'part2'],
            'at': [list(map(float, place)) for place in (ground, ball)], 'axis': list(axis),
            'length': float(np.linalg.norm(np.subtract(ball, ground)))}
        return model, {'_Body1': Reaction(('rod',), 'ground', ground),
                       '_Body2': Reaction(('rod',), 'part2', ball)}
    return case


def _linear_actuator(speed, axis, turned=''):
    """Return a body that a slideway guides along an axis and a motion drives at a constant speed.

    turned: the frames with z along the axis.  P: what the slideway does to the ground; A: what the
    motion does to the body.
    """
    velocity = ''.join(f', V{key} = {speed * value:.17g}'
                       for key, value in zip('XYZ', axis, strict=True))

    def case(name):
        model = _model(name, f'JOINT/1, TRANSLATIONAL, I = 22, J = 11\n'
                             f'MOTION/1, TRANSLATION, JOINT = 1, FUNCTION = {speed} * TIME',
                       (0, 0, 0), (0, 0, 0), (0, 0, 0), inertia='1, 1, 1', turned=turned,
                       body_turned=turned, speed=velocity)
        return model, {'P': Reaction(('joint1',), 'ground', (0, 0, 0)),
                       'A': Reaction(('motion1',), 'part2', (0, 0, 0))}
    return case


_NONLINEAR = '-50 * (DM - 2) - 10 * ABS(DM - 2) * (DM - 2) - 5 * VR'
_STIFF = _spring('-100 * (DM - 2) - 5 * VR', (0, 0, 0), (0, 2, 0), (0, 2, 0))
CASES: dict[str, Callable[[str], tuple[AdamsModel, dict[str, Reaction]]]] = {
    'RotSpring_Case01': _rotational_spring('-200 * AZ(11, 22) - 10 * WZ(11, 22, 22)'),
    'RotSpring_Case02': _rotational_spring(
        '-(50 + 10 * ABS(AZ(11, 22))) * AZ(11, 22) - 10 * WZ(11, 22, 22)'),
    'TranSpring_Case01': _spring_from_its_anchor(10.0, 0.5),
    'TranSpring_Case02': _STIFF,
    'TranSpringCB_Case01': _spring_from_its_anchor(10.0, 0.5),
    'TranSpringCB_Case02': _STIFF,
    'TranSpringCB_Case03': _spring(_NONLINEAR, (1, 2, 3), (1, 4, 3), (-1, 4, 3)),
    'TranSpringCB_Case04': _spring(_NONLINEAR, (0, 0, 0), (0, 2, 0), (0, 4, 0),
                                   ', REULER = -90D, 0, 0'),
    'RevSpherical_Case01': _revolute_spherical((0, 0, 0), (0, 0, 1), (2, 0, 0), (2, 2, 0)),
    'RevSpherical_Case02': _revolute_spherical((1, 2, 3), (0, 1, 1), (3, 2, 3), (3, 4, 3)),
    'LinActuator_Case01': _linear_actuator(1.0, (0, 0, 1)),
    'LinActuator_Case02': _linear_actuator(0.5, (np.sqrt(0.5), 0, np.sqrt(0.5)),
                                           ', REULER = 90D, 45D, -90D')}
