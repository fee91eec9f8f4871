"""Run all examples, and make the gallery of them: docs/tutorials/examples.md with its pictures.

    python examples/gallery.py
"""

import ast
from pathlib import Path
import subprocess
import sys
import tempfile

from PIL import Image

FOLDER = Path(__file__).parent
PAGE = FOLDER.parent / 'docs' / 'tutorials' / 'examples.md'
PICTURES = FOLDER.parent / 'docs' / 'pictures' / 'examples'
WIDTH = 360     # of the pictures [pixels]
EXAMPLES = (
    'load', 'simulate', 'plot_in_space', 'run_a_filter', 'compare', 'smooth_a_recording',
    'fit_to_readings', 'factor_graph', 'weigh_a_load', 'detect_a_contact', 'read_a_bag',
    'live_node', 'own_sensor/own_sensor', 'own_filter', 'own_joint/own_joint')
NOTEBOOKS = {
    'which_filter': 'Which filter suits my machine and my sensors?',
    'observability': 'Which sensors do I need, and what do they leave open?',
    'from_a_log_to_a_twin': 'How does a log of my machine become a model that moves like it?'}


def sentence_of(name):
    """Return what an example says of itself in its first line."""
    source = (FOLDER / f'{name}.py').read_text(encoding='utf-8')
    return ast.get_docstring(ast.parse(source)).splitlines()[0]


def picture_of(name):
    """Return the file name of an example's picture."""
    return f'{Path(name).name}.png'


def page():
    """Return the page of the gallery."""
    lines = [
        '# Examples', '',
        'Each script is a page long; it prints a table and leaves a picture in the folder where '
        'you run it, after `source .venv/bin/activate`:', '',
        '    python examples/load.py', '',
        '| picture | script |', '| --- | --- |']
    lines += [f'| ![{Path(name).name}](../pictures/examples/{picture_of(name)}) '
              f'| [{name}.py](../../examples/{name}.py): {sentence_of(name)} |'
              for name in EXAMPLES]
    lines += [
        '', '`own_sensor` and `own_joint` are folders, with the kind in a file beside the script.',
        '', '## Notebooks', '',
        'Open them with `jupyter lab` (`pip install jupyterlab`):', '',
        '| notebook | question |', '| --- | --- |']
    lines += [f'| [{name}.ipynb](../../examples/notebooks/{name}.ipynb) | {question} |'
              for name, question in NOTEBOOKS.items()]
    return '\n'.join(lines) + '\n'


def main():
    """Run the examples, write the pictures and the page."""
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        for name in EXAMPLES:
            print(f'{name}.py', flush=True)
            subprocess.run([sys.executable, FOLDER / f'{name}.py'], cwd=folder, check=True,
                           stdout=subprocess.DEVNULL)
            image = Image.open(Path(folder) / picture_of(name)).convert('RGB')
            image.thumbnail((WIDTH, WIDTH), Image.Resampling.LANCZOS)
            image.quantize(64).save(PICTURES / picture_of(name), optimize=True)
    PAGE.write_text(page(), encoding='utf-8')
    print(f'wrote {PAGE}')


if __name__ == '__main__':
    main()
