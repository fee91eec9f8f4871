"""Plots and animations: that they show the run, whole and without other files."""

from base64 import b64decode
import json
import re

from imageio_ffmpeg import read_frames
import numpy as np
from PIL import Image
import pytest
from spatial_machines import STRUT

from mb_model import load_mechanism, simulate
from mb_model.assembly.body_motion import point_positions
from mb_model.mechanism import Mechanism
from mb_model.pictures.animation import animate
from mb_model.pictures.plotting import plot

WHITE = 765         # sum of a pixel's colours


@pytest.fixture(scope='module')
def run():
    """A second of the four-bar linkage with its spring."""
    return simulate(load_mechanism('four_bar_spring_damper'), 1.0, 1e-2, inputs={'theta': 5.0})


@pytest.fixture(scope='module')
def strut_run():
    """Two tenths of a second of a strut in space."""
    return simulate(Mechanism(STRUT, 'strut.yaml'), 0.2, 1e-2, inputs={'lift': 25.0})


def content(file):
    """Return what a page shows."""
    text = file.read_text(encoding='utf-8')
    return json.loads(re.search(r'const run = (\{.*\});', text).group(1)), text


def assert_in_plane(page, run, numbers):
    """Assert that a page has the motion of the linkage: the outline of its crank, as it draws it.

    The outline stays around the two points of the crank.
    """
    positions = point_positions(run.mechanism, run.q[numbers])
    np.testing.assert_allclose(page['traces'][0]['path'], positions[:, 3], atol=2e-3)
    poses = [np.array(shape['pose']) for shape in page['shapes']]
    assert {len(pose) for pose in poses} == {1, len(numbers)}
    crank = next(shape for shape in page['shapes'] if shape['stroke'] == '#4477aa')
    pose, outline = np.array(crank['pose']), np.array(crank['outline'])
    corners = pose[:, None, :2] + outline[:, :1] * pose[:, None, 2:4] + outline[:, 1:] * pose[
        :, None, 4:]
    np.testing.assert_allclose(corners.mean(axis=1), positions[:, [0, 2]].mean(axis=1), atol=5e-2)


def assert_in_space(page, run, numbers):
    """Assert the same of the strut: corners of the box of its link."""
    motions = [run.mechanism.body_motion('link', run.q[k]) for k in numbers]
    np.testing.assert_allclose(page['traces'][0]['path'],
                               [motion.position_of([0.7, 0.02, 0.0]) for motion in motions],
                               atol=1e-3)
    link = next(part for part in page['parts'] if part['name'] == 'link')
    vertices = np.frombuffer(b64decode(link['vertices']), '<i2').reshape(-1, 3) * (
        link['reach'] / 32767)
    for pose, motion in zip(page['tracks'][link['track']], motions, strict=True):
        origin, x, z = np.array(pose).reshape(3, 3)
        put = origin + vertices @ np.stack([x, np.cross(z, x), z])
        expected = motion.position_of([1.0, 0.05, 0.025])
        assert np.linalg.norm(put - expected, axis=1).min() < 1e-3
    assert np.frombuffer(b64decode(link['triangles']), '<u2').max() < len(vertices)


@pytest.mark.parametrize(('name', 'trace', 'speed', 'frames', 'assert_motion'), [
    ('run', 'P2', 0.5, 41, assert_in_plane), ('strut_run', 'link.D', 1.0, 5, assert_in_space)])
def test_a_page_is_self_contained_and_has_the_motion(name, trace, speed, frames, assert_motion,
                                                     tmp_path, request):
    run, file = request.getfixturevalue(name), tmp_path / 'motion.html'
    animate(run, file, trace=[trace], speed=speed, fps=20.0)
    page, text = content(file)
    assert not re.search(r'(src|href)\s*=|https?:|@import|url\(|fetch\(', text)
    assert 'id="slider"' in text
    assert len(page['times']) == frames
    np.testing.assert_allclose(np.diff(page['times']), speed / 20.0, atol=0.005 + 1e-9)
    numbers = [round(100 * t) for t in page['times']]
    np.testing.assert_allclose(page['curves'][0]['values'], run.z[numbers, 0], atol=1e-6)
    assert_motion(page, run, numbers)


def test_names_cannot_break_out_of_a_page(run, tmp_path):
    short = simulate(run.mechanism.replace(), 0.1, 1e-2)
    # No file has such a name.
    vars(short.mechanism)['name'] = '</script><script>alert(1)</script>'
    animate(short, tmp_path / 'evil.html')
    page, text = content(tmp_path / 'evil.html')
    assert page['title'].startswith('</script>')
    assert text.count('</script>') == 1


def frames_of(file):
    """Return the first and the last picture of a GIF (h, w, 3), how many, and how it is played."""
    with Image.open(file) as gif:
        first = np.asarray(gif.convert('RGB')).astype(int)
        count = gif.n_frames
        gif.seek(count - 1)
        return (first, np.asarray(gif.convert('RGB')).astype(int)), (
            count, gif.info['duration'], gif.info['loop'])


def test_films_have_all_frames_and_move(run, strut_run, tmp_path):
    animate(run, tmp_path / 'motion.gif', fps=10.0, trace=['P1'])
    ends, played = frames_of(tmp_path / 'motion.gif')
    assert played == (11, 100, 0)
    animate(run, tmp_path / 'motion.mp4', fps=10.0)
    frames = read_frames(str(tmp_path / 'motion.mp4'))
    size = next(frames)['size']
    pictures = [np.frombuffer(frame, np.uint8).reshape(size[1], size[0], 3).astype(int)
                for frame in frames]
    assert len(pictures) == 11
    animate(strut_run, tmp_path / 'strut.gif', fps=10.0)
    in_space, played = frames_of(tmp_path / 'strut.gif')
    assert played == (3, 100, 0)
    for (before, after), least in ((ends, 0.02), ((pictures[0], pictures[-1]), 0.02),
                                   (in_space, 0.005)):
        changed = (np.abs(before - after).sum(axis=2) > 100).mean()
        assert least < changed < 0.5
        assert ((before.sum(axis=2) < WHITE - 60).mean()) < 0.3


@pytest.mark.parametrize(('name', 'options', 'message'), [
    ('a.avi', {}, r'a\.avi: must end in \.mp4, \.gif, \.html'),
    ('a.html', {'trace': ['X']}, 'trace: X: unknown point, expected one of A, B, P1, P2'),
    ('a.html', {'speed': -1.0}, 'speed: -1.0 must be > 0'),
    ('a.html', {'fps': float('nan')}, 'fps: nan must be > 0'),
    ('a.html', {'speed': 1e6}, 'speed: 1e[+]06 shows 1 s in a single frame, slow it down: 0.2')])
def test_what_cannot_be_animated_is_reported(run, tmp_path, name, options, message):
    with pytest.raises(ValueError, match=message):
        animate(run, tmp_path / name, **options)


def test_unknown_points_in_space_are_reported(strut_run, tmp_path):
    with pytest.raises(ValueError, match=r'trace: D: unknown point, expected one of link\.A, '):
        animate(strut_run, tmp_path / 'a.html', ['D'])


def test_a_plot_shows_what_was_asked_for(run, tmp_path):
    figure = plot(run, tmp_path / 'motion.pdf', ['theta', 's', 'P1.x'])
    assert (tmp_path / 'motion.pdf').read_bytes().startswith(b'%PDF')
    lines = {line.get_label(): line for axes in figure.axes for line in axes.get_lines()
             if axes.get_ylabel().startswith(('theta', 'position'))}
    assert set(lines) == {'theta', 's', 'P1.x'}
    place = run.mechanism.coordinates.index('s')
    np.testing.assert_array_equal(lines['s'].get_ydata(), run.q[:, place])
    labels = [axes.get_ylabel() for axes in figure.axes]
    assert labels == ['theta [rad]', 'position [m]', 'velocity [rad/s]', 'velocity [m/s]',
                      'acceleration [rad/s²]', 'acceleration [m/s²]', 'energy [J]',
                      'energy drift [J]']
    with pytest.raises(ValueError, match='elbow: unknown coordinate, expected one of P1'):
        plot(run, coordinates=['elbow'])
