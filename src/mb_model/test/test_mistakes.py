"""All mistakes of a mechanism file at once, and numbers that are doubtful."""

import pytest

from mb_model import MechanismError, load_mechanism
from mb_model.checking import look_through
from mb_model.commands import check
from mb_model.mechanism_file.file import parse_mechanism
from mb_model.mechanism_file.reading import read_description

WRONG = """
name: wrong
parameters: {width: 1.0, half: width /, quarter: half / 2}
points:
  A: {fixed: [0.0, 0.0]}
  B: {start: [1.0, height]}
  C: {start: [quarter, 2.0]}
bodies:
  crank: {points: [A, B], length: -1.0, mass: 1.0, lenght: 2.0}
  rod: {points: [A, C], lenght: 1.0}
  block: {points: [A, C], length: 2.0, mass: -1.0, inertia: -2.0, centre_of_gravity: [1, 1]}
  lost: {points: [A, Z], length: 2, mass: 1.0}
coordinates:
  theta: {kind: angle, body: crank}
  phi: {kind: angel, body: rod}
constraints:
  guide: {kind: slider, point: C, along: [A, 3]}
independent: [theta]
start: {theta: 0.3}
"""


def mistakes(text):
    raw, file = parse_mechanism(text, 'wrong.yaml')
    with pytest.raises(MechanismError) as caught:
        read_description(raw, file)
    assert str(caught.value) == caught.value.mistakes[0]
    return sorted(mistake.removeprefix('wrong.yaml: ') for mistake in caught.value.mistakes)


def test_all_mistakes_are_reported_and_nothing_that_follows_from_them():
    """Nothing about theta on the broken crank, quarter of the broken half, or a mass of rod."""
    expected = [
        'bodies.block.inertia: -2.0 must be >= 0',
        'bodies.block.mass: -1.0 must be >= 0',
        'bodies.crank.lenght: unknown key, expected one of points',
        "bodies.lost.points[1]: 'Z': unknown point",
        'bodies.rod.lenght: unknown key, expected one of points',
        'constraints.guide.along[1]: 3 must be a name',
        "coordinates.phi.kind: 'angel': unknown kind of coordinate, expected one of",
        "parameters.half: 'width /' ends too early",
        "points.B.start[1]: 'height' names the unknown 'height', known are pi, width"]
    for one, start in zip(mistakes(WRONG), expected, strict=True):
        assert one.startswith(start)


@pytest.mark.parametrize(('text', 'at'), [
    ('points: {A: {fixed: [0, 0]}, B: {start: [1, 0]}}\n'
     'bodies: {rod: {points: [A, B], length: 1.0, lenght: 2.0}}',
     'bodies.rod.lenght'),
    ('dimension: 3\nbodies: {rod: {mass: 2.0, pose: {at: [0, 0, 0]}}}',
     'bodies.rod.centre_of_gravity')])
def test_a_body_with_a_mistake_is_not_said_to_be_without_mass(text, at):
    only, = mistakes(f'name: wrong\n{text}')
    assert only.startswith(at)


@pytest.mark.parametrize(('old', 'new', 'at', 'text'), [
    ('length: 2.0', 'length: hypot(3, 4)', 'bodies.rod.length', 'hypot(3, 4)'),
    ('mass: 1.0', 'mass: max(a, atan2(b, 1.0e0), (2))', 'bodies.rod.mass',
     'max(a, atan2(b, 1.0e0), (2))'),
    ('[2.0, 1.0]', '[min(2, a), 1.0]', 'points.B.start[0]', 'min(2, a)')])
def test_an_expression_that_yaml_cuts_is_to_be_quoted(old, new, at, text):
    good = """
name: wrong
points: {A: {fixed: [0.0, 0.0]}, B: {start: [2.0, 1.0]}}
bodies: {rod: {points: [A, B], length: 2.0, mass: 1.0}}
"""
    assert old in good
    assert mistakes(good.replace(old, new)) == [
        f"{at}: {text} needs quotes, '{text}': YAML cuts it at the comma"]


def test_two_expressions_that_yaml_cuts_alike_are_to_be_quoted():
    with pytest.raises(MechanismError, match="'b\\)' is there twice: in braces, expressions with"):
        parse_mechanism('points: {}\nparameters: {x: hypot(a, b), y: hypot(c, b)}', 'wrong.yaml')


def test_the_command_reports_all_mistakes_also_of_sensors(tmp_path, capsys):
    (tmp_path / 'm.yaml').write_text(
        'extends: four_bar\nbodies: {crank: {mass: -1.0}, rocker: {mass: 0.0}}\nsensors:\n'
        '  flux: {kind: quantum_flux, sigma: 1.0}\n  gyro: {kind: gyroscope, body: crank}\n')
    assert check.main([str(tmp_path / 'm.yaml')]) == 2
    printed = capsys.readouterr().err.splitlines()
    assert printed[:2] == ['m.yaml: bodies.crank.mass: -1.0 must be >= 0',
                           'm.yaml: bodies.rocker.mass: 0 must be > 0 of a uniform rod']
    flux, gyro = sorted(printed[2:])
    assert flux.startswith("m.yaml: sensors.flux.kind: 'quantum_flux': unknown kind of sensor, exp")
    assert gyro == 'm.yaml: sensors.gyro.sigma: missing'


def test_sensors_are_checked_on_their_mechanism(tmp_path):
    (tmp_path / 'm.yaml').write_text(
        'extends: four_bar\nsensors:\n'
        '  a: {kind: gyroscope, body: crane, sigma: 1.0}\n'
        '  b: {kind: gyroscope, body: crank, sigma: -1.0}\n'
        '  c: {kind: gyroscope, body: crank, sigma: 1.0, colour: red, rat: 3}\n'
        '  d: {kind: accelerometer, body: crank, at: P1, axes: [x, w], sigma: 1.0}\n')
    found = look_through(tmp_path / 'm.yaml')
    assert found.mechanism is None
    starts = ['c.colour: unknown key, ', 'c.rat: unknown key, ',
              "d.axes[1]: 'w' must be one of x, y, z", "a.body: 'crane' must be one of",
              'b.sigma: -1.0 must be >= 0']
    for mistake, start in zip(found.mistakes, starts, strict=True):
        assert mistake.startswith(f'm.yaml: sensors.{start}')


@pytest.mark.parametrize(('changes', 'doubt'), [
    ('start: {theta: 90}', 'start.theta: 90 rad are 14.3 turns; for degrees write radians(90)'),
    ('start: {theta: -30.0}', 'start.theta: -30.0 rad are 4.77 turns; for degrees write radians('),
    ('points: {P2: {start: [8.5, 5 * sin(80)]}}', 'points.P2.start[1]: sin(80) is of 80 rad'),
    ('sensors: {s: {kind: accelerometer, body: crank, at: P1, orientation: 45, sigma: 1.0}}',
     'sensors.s.orientation: 45 rad are 7.16 turns; for degrees'),
    ('gravity: [0.0, -9810]', 'gravity: [0.0, -9810.0] is more than any planet has'),
    ('bodies: {crank: {inertia: 1.0e4, centre_of_gravity: [1.0, 0.0]}}',
     'bodies.crank.inertia: 10000 kg m^2 is as of a ring of 70.71 m radius'),
    ('bodies: {crank: {mass: 3.0e7, inertia: 1.0e2, centre_of_gravity: [1.0, 0.0]}}',
     'bodies.crank.mass: 3e+07 kg with its moments of inertia are '),
    ('bodies: {crank: {mass: 3.0e7}}', 'bodies.crank.mass: 3e+07 kg is 2.'),
    ('points: {P2: {start: [80, 47]}}', 'bodies.coupler: P1 and P2 are 8 m apart on the body, ')])
def test_numbers_in_other_units_are_doubted(tmp_path, changes, doubt):
    (tmp_path / 'm.yaml').write_text(f'extends: four_bar\n{changes}\n')
    found = look_through(tmp_path / 'm.yaml')
    assert any(text.startswith(doubt) for text in found.doubts)


@pytest.mark.parametrize('start', ['radians(400)', '6.2', '-6', '3 * pi', '"20 * pi / 9"'])
def test_expressions_and_a_turn_are_angles_in_radians(tmp_path, start):
    (tmp_path / 'm.yaml').write_text(f'extends: pendulum\nstart: {{theta: {start}}}\n')
    assert look_through(tmp_path / 'm.yaml').doubts == ()


def test_lengths_in_millimetres_are_why_a_mechanism_cannot_be_assembled(tmp_path, capsys):
    (tmp_path / 'm.yaml').write_text('extends: four_bar\nbodies: {crank: {length: 1000}}\n')
    assert check.main([str(tmp_path / 'm.yaml')]) == 2
    mistake, doubt = capsys.readouterr().err.splitlines()
    assert mistake.startswith('m.yaml: cannot be ')
    assert doubt.startswith('warning: bodies.crank: A and P1 are 1000 m apart on the body, ')


@pytest.mark.parametrize('name', ['four_bar', 'slider_crank', 'crane', 'three_rrr', 'rod_array'])
def test_nothing_is_wrong_or_doubtful_in_shipped_mechanisms(name):
    found = look_through(name)
    assert (found.mistakes, found.doubts) == ((), ())
    assert found.mechanism.model.tobytes() == load_mechanism(name).model.tobytes()
