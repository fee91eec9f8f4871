"""Kinds of new_kinds, or of examples, installed as another package would be."""

import json
import os
from pathlib import Path
import subprocess
import sys

FOLDER = Path(__file__).with_name('new_kinds')


def made_with(script, installed, kinds, **environment):
    """Return what a script prints, see printed_by, where kinds beside it are installed.

    installed: an empty folder; kinds: {group of entry points: name of the kind and of its module}.
    """
    info = installed / 'new_kinds-0.dist-info'
    info.mkdir()
    (info / 'METADATA').write_text('Metadata-Version: 2.1\nName: new_kinds\nVersion: 0\n')
    (info / 'entry_points.txt').write_text(''.join(
        f'[{group}]\n{kind} = {kind}\n' for group, kind in kinds.items()))
    return printed_by(script, installed, **environment)


def printed_by(script, *folders, **environment):
    """Return what a script of new_kinds prints, as JSON; folders: of what is installed."""
    paths = [*map(str, folders), str(FOLDER), os.environ.get('PYTHONPATH', '')]
    done = subprocess.run(
        [sys.executable, FOLDER / script], check=False, text=True, capture_output=True,
        env={**os.environ, **environment, 'PYTHONPATH': os.pathsep.join(filter(None, paths))})
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
