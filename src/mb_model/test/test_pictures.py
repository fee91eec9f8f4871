"""Plots and animations: that they show the run, whole and without other files."""

import json
import re

from imageio_ffmpeg import read_frames
import numpy as np
from PIL import Image
import pytest

from mb_model import load_mechanism, simulate
from mb_model.assembly.body_motion import point_positions
from mb_model.pictures.animation import animate
from mb_model.pictures.plotting import plot

WHITE = 765         # sum of a pixel's colours


@pytest.fixture(scope='module')
def run():
    """A second of the four-bar linkage with its spring."""
    return simulate(load_mechanism('four_bar_spring_damper'), 1.0, 1e-2, inputs={'theta': 5.0})


def content(file):
    """Return what a page shows."""
    text = file.read_text(encoding='utf-8')
    return json.loads(re.search(r'const run = (\{.*\});', text).group(1)), text


def test_a_page_is_self_contained_and_has_the_motion(run, tmp_path):
    file = tmp_path / 'motion.html'
    animate(run, file, trace=['P2'], speed=0.5, fps=20.0)
    page, text = content(file)
    assert not re.search(r'(src|href)\s*=|https?:|@import|url\(|fetch\(', text)
    assert len(page['times']) == 41
    np.testing.assert_allclose(np.diff(page['times']), 0.025, atol=0.005 + 1e-9)
    numbers = [round(100 * t) for t in page['times']]
    places = point_positions(run.mechanism, run.q[numbers])
    np.testing.assert_allclose(page['traces'][0]['path'], places[:, 3], atol=2e-3)
    np.testing.assert_allclose(page['curves'][0]['values'], run.z[numbers, 0], atol=1e-6)
    poses = [np.array(shape['pose']) for shape in page['shapes']]
    assert {len(pose) for pose in poses} == {1, 41}
    # The crank's outline, drawn as the page does it, stays around its two points.
    crank = next(shape for shape in page['shapes'] if shape['stroke'] == '#4477aa')
    pose, outline = np.array(crank['pose']), np.array(crank['outline'])
    corners = pose[:, None, :2] + outline[:, :1] * pose[:, None, 2:4] + outline[:, 1:] * pose[
        :, None, 4:]
    np.testing.assert_allclose(corners.mean(axis=1), places[:, [0, 2]].mean(axis=1), atol=5e-2)


def test_names_cannot_break_out_of_a_page(run, tmp_path):
    short = simulate(run.mechanism.replace(), 0.1, 1e-2)
    # No file has such a name.
    vars(short.mechanism)['name'] = '</script><script>alert(1)</script>'
    animate(short, tmp_path / 'evil.html')
    page, text = content(tmp_path / 'evil.html')
    assert page['title'].startswith('</script>')
    assert text.count('</script>') == 1


def test_films_have_all_frames_and_move(run, tmp_path):
    animate(run, tmp_path / 'motion.gif', fps=10.0, trace=['P1'])
    with Image.open(tmp_path / 'motion.gif') as gif:
        assert (gif.n_frames, gif.info['duration'], gif.info['loop']) == (11, 100, 0)
        first = np.asarray(gif.convert('RGB')).astype(int)
        gif.seek(10)
        last = np.asarray(gif.convert('RGB')).astype(int)
    animate(run, tmp_path / 'motion.mp4', fps=10.0)
    frames = read_frames(str(tmp_path / 'motion.mp4'))
    size = next(frames)['size']
    pictures = [np.frombuffer(frame, np.uint8).reshape(size[1], size[0], 3).astype(int)
                for frame in frames]
    assert len(pictures) == 11
    for before, after in ((first, last), (pictures[0], pictures[-1])):
        changed = (np.abs(before - after).sum(axis=2) > 100).mean()
        assert 0.02 < changed < 0.5
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
