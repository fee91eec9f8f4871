"""The examples: each runs, leaves its picture, and is in the gallery; notebooks run as well."""

import ast
import json
import os
from pathlib import Path
import runpy
import subprocess
import sys

import matplotlib
from matplotlib import pyplot
from PIL import Image
import pytest

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / 'examples'
GALLERY = runpy.run_path(str(FOLDER / 'gallery.py'))
# In processes of their own: kinds of others are gathered at an import, a node is started.
ALONE = ('live_node', 'own_sensor/own_sensor', 'own_joint/own_joint')
LONGEST = 75        # lines
NOTEBOOKS = sorted((FOLDER / 'notebooks').glob('*.ipynb'))


@pytest.fixture
def plots(monkeypatch, tmp_path):
    """The module of pictures, without a display, in an empty folder."""
    folder = tmp_path / 'a folder'
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv('MPLBACKEND', 'agg')
    matplotlib.use('agg')
    yield pyplot
    pyplot.close('all')


@pytest.mark.parametrize('name', GALLERY['EXAMPLES'])
def test_an_example_leaves_its_picture(plots, name):
    file = FOLDER / f'{name}.py'
    if name in ALONE:
        subprocess.run([sys.executable, file], check=True, env=dict(os.environ))
    else:
        runpy.run_path(str(file))
    picture = Path(file.stem).with_suffix('.png')
    assert len(Image.open(picture).convert('RGB').getcolors(1 << 24)) > 20     # it is not blank


def test_the_gallery_is_of_all_examples_and_as_the_command_makes_it():
    pages = {f'{name}.py' for name in GALLERY['EXAMPLES']}
    scripts = {str(file.relative_to(FOLDER)) for file in FOLDER.rglob('*.py')}
    assert pages <= scripts
    assert scripts - pages == {'gallery.py', 'moving_picture.py', 'own_sensor/height.py',
                               'own_joint/notch.py'}
    assert GALLERY['PAGE'].read_text(encoding='utf-8') == GALLERY['page'](), (
        'python examples/gallery.py')
    pictures = {GALLERY['picture_of'](name) for name in GALLERY['EXAMPLES']}
    assert {file.name for file in GALLERY['PICTURES'].iterdir()} == pictures
    assert all((GALLERY['PICTURES'] / name).stat().st_size < 40e3 for name in pictures)
    assert {file.stem for file in NOTEBOOKS} == set(GALLERY['NOTEBOOKS'])


@pytest.mark.parametrize('name', GALLERY['EXAMPLES'])
def test_an_example_is_short(name):
    source = (FOLDER / f'{name}.py').read_text(encoding='utf-8')
    assert len(source.splitlines()) <= LONGEST
    assert ast.get_docstring(ast.parse(source))


def test_the_moving_picture_is_small():
    film = Image.open(ROOT / 'docs' / 'pictures' / 'estimate.gif')
    assert film.width == 600
    assert film.n_frames > 40
    assert (ROOT / 'docs' / 'pictures' / 'estimate.gif').stat().st_size < 1e6


@pytest.mark.parametrize('file', NOTEBOOKS, ids=lambda file: file.stem)
def test_a_notebook_runs(plots, file):
    """Its cells, which are Python alone, one after the other; it is kept without what they print.
    """
    cells = json.loads(file.read_text(encoding='utf-8'))['cells']
    code = [''.join(cell['source']) for cell in cells if cell['cell_type'] == 'code']
    assert not any(cell.get('outputs') for cell in cells)
    assert len(code) >= 4
    names = {}
    for source in code:
        exec(compile(source, file.name, 'exec'), names)
    assert plots.get_fignums()
