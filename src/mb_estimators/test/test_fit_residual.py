"""Learned residuals: forces that the rigid model lacks, kept where held-out data confirm them."""

from arms_with_cables import ARMS, NOISE, STEP, cables, nothing, recording, true_arm, waves
from message_bags import write_messages
import numpy as np
import pytest
from sensor_msgs.msg import JointState

from mb_estimators import FitError, FitSettings, learn_residual
from mb_estimators.commands import fit as command
from mb_model import load_mechanism
from mb_ros.stamps import stamp as to_stamp

SETTINGS = FitSettings(averaging_time=STEP)
ENCODER = {'sigma': 1e-5, 'rate': 200.0, 'topic': 'drive_encoders'}
FREE = ['masses', 'inertias', 'friction']


def learned(dimension, beside, seed=0, motion=None, **options):
    return learn_residual(ARMS[dimension], options.pop('free', []), [
        recording(true_arm(dimension), beside, seed, motion)], settings=SETTINGS, **options)


@pytest.mark.parametrize('dimension', ['plane', 'space'])
def test_what_the_model_lacks_is_learned_as_far_as_noise_allows(dimension):
    residual = learned(dimension, cables)
    assert {curve.coordinate for curve in residual.curves} == {'q1', 'q2'}
    assert residual.is_kept
    assert 0.9 <= residual.coverage <= 0.98
    assert np.all(residual.without.held_out.residual > [4.0 * NOISE, 1.3 * NOISE])
    assert residual.fit.values['forces.rub1.coulomb'] == pytest.approx(0.3, abs=0.03)
    # A fit of the machine without cables leaves the noise.
    assert np.all(residual.fit.held_out.residual < 1.1 * NOISE)
    # Torques of another motion, in the range of the first, by the models alone.
    _, z, zd, zdd = waves(7, duration=2.0, reach=0.35)
    arm = true_arm(dimension)
    true = np.array([arm.inverse_dynamics(*at) for at in zip(z, zd, zdd, strict=True)]) - cables(
        z, zd)
    missed = [np.sqrt(np.mean((true - [one.mechanism.inverse_dynamics(*at) for at in zip(
        z, zd, zdd, strict=True)]) ** 2, axis=0)) for one in (residual.fit, residual.without)]
    assert np.all(missed[0] < 0.5 * NOISE)
    assert np.all(missed[1] > 1.5 * missed[0])


@pytest.mark.parametrize('dimension', ['plane', 'space'])
def test_a_machine_without_any_keeps_none(dimension):
    for seed in range(6):
        residual = learned(dimension, nothing, seed)
        assert not residual.is_kept
        assert residual.overrides == {}
        assert residual.best is residual.without
        note = next(iter(residual.notes))
        assert note.startswith(('residual: none', 'residual: not kept'))


def test_the_entries_of_the_file_are_the_curves():
    """And fall to zero outside of the motion from which they were learned."""
    residual = learned('plane', cables)
    plain = residual.fit.mechanism.replace(forces=dict.fromkeys(residual.entries))
    for x, v in (([0.1, 0.4], [0.5, -0.3]), ([0.6, 0.2], [-1.0, 1.2])):
        force = (plain.inverse_dynamics(x, v, [0.0, 0.0])
                 - residual.fit.mechanism.inverse_dynamics(x, v, [0.0, 0.0]))
        expected = [sum(float(curve.at(np.array([{'position': x, 'rate': v}[curve.kind][k]]))[0])
                        for curve in residual.curves if curve.coordinate == name)
                    for k, name in enumerate(('q1', 'q2'))]
        np.testing.assert_allclose(force, expected, atol=1e-5)
        assert np.abs(force).max() > 0.05
    for curve in residual.curves:
        edge = curve.centres[-1]
        assert abs(curve.at(np.array([edge + 2.5 * curve.width]))[0]) < 0.02 * np.abs(
            curve.at(curve.centres)).max()


@pytest.mark.parametrize('dimension', ['plane', 'space'])
def test_a_held_out_motion_elsewhere_is_said_and_nothing_is_kept(dimension):
    """The last third is around 1.3 rad, where the cogging goes on that no curve has seen."""
    stamps = waves(0)[0]
    t = stamps / 1e9
    residual = learned(dimension, cables, motion=waves(
        0, middle=0.3 + 0.5 * (1.0 + np.tanh(8.0 * (t - 8.2)))))
    assert not residual.is_kept
    notes = list(residual.notes)
    assert notes[0].startswith('residual: not kept')
    assert any('of the held-out motion is outside of' in note and 'falls to zero there' in note
               for note in notes[1:])
    assert max(residual.outside) > 0.5
    assert residual.best is residual.without


def test_a_residual_on_a_machine_that_has_one_takes_other_names():
    first = learned('plane', cables)
    again = learn_residual(
        ARMS['plane'].replace(forces={name: entry | {'of_coordinate': '0.0 * x'}
                                      for name, entry in first.entries.items()}),
        FREE, [recording(true_arm('plane'), cables, 0)], settings=SETTINGS)
    assert again.entries
    assert not set(again.entries) & set(first.entries)


def test_it_needs_data_that_are_held_out():
    with pytest.raises(FitError, match='held_out is 0'):
        learn_residual(ARMS['plane'], [], [recording(true_arm('plane'), nothing, 0)],
                       settings=FitSettings(held_out=0.0))


@pytest.fixture(scope='module')
def bag(tmp_path_factory):
    """A bag of states of the encoders and efforts, of the planar arm with its cables."""
    samples = recording(true_arm('plane'), cables, 0).samples
    messages = []
    for stamp, angles, efforts in zip(samples.motion.stamps.tolist(), samples.motion.z,
                                      samples.torques, strict=True):
        for topic, message in (('drive_encoders', JointState(
                name=['encoder1', 'encoder2'], position=angles.tolist())), ('currents', JointState(
                    name=['q1', 'q2'], effort=efforts.tolist()))):
            message.header.stamp = to_stamp(stamp)
            messages.append((f'/{topic}', message))
    return write_messages(tmp_path_factory.mktemp('recorded') / 'bag', messages)


@pytest.fixture
def file(tmp_path):
    """The file of the planar arm, with encoders."""
    file = tmp_path / 'arm.yaml'
    file.write_text(ARMS['plane'].replace(sensors={
        'encoder1': {'kind': 'angle_encoder', 'body': 'one'} | ENCODER,
        'encoder2': {'kind': 'relative_angle_encoder', 'bodies': ['one', 'two']} | ENCODER
    }).text, encoding='utf-8')
    return file


def test_the_command_writes_it_to_the_mechanism_and_the_page(bag, file, tmp_path, capsys):
    output = tmp_path / 'mine.yaml'
    assert command.main([str(bag), '--mechanism', str(file), '--sensors', 'encoder1', 'encoder2',
                         '--torques', 'currents', '--residual', '--output', str(output)]) == 0
    out = capsys.readouterr().out
    assert 'residual: kept, the held-out error is' in ' '.join(out.split())
    mine = load_mechanism(str(output))
    assert any(entry['kind'] == 'characteristic' for entry in mine.raw['forces'].values())
    page = output.with_suffix('.html').read_text(encoding='utf-8')
    assert 'Learned residual' in page
    assert 'force left without it' in page
    assert 'position (' in page


def test_without_forces_there_is_no_residual(bag, file, tmp_path, capsys):
    assert command.main([str(bag), '--mechanism', str(file), '--sensors', 'encoder1', '--residual',
                         '--free', 'noises', '--output', str(tmp_path / 'mine.yaml')]) == 2
    said = capsys.readouterr().err
    assert '--residual: not taken by a fit to readings' in said
    assert 'expected numbers for one to forces' in said
