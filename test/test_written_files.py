"""Files and folders are written by mb_model.files alone, which follows nothing that was planted."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
POLICY = {'whole_file', 'whole_folder', 'new_bag', 'replace_private', 'TemporaryDirectory'}
WRITES = {'write_text', 'write_bytes', 'mkdir', 'makedirs', 'mkdtemp', 'mkstemp', 'symlink_to',
          'symlink', 'hardlink_to', 'mkfifo', 'savefig', 'savez', 'to_csv', 'to_parquet',
          'touch', 'copyfile', 'copytree', 'copy2',
          'FileHandler', 'NamedTemporaryFile'}
OTHERS = {      # what else writes, and why it may
    'mb_evaluation/mb_evaluation/results.py': 'the folder of a run, which must be new',
    'mb_model/mb_model/bags/reader.py': 'a temporary folder',
    'mb_model/mb_model/jit/cache_files.py': 'beside numba, which makes folders of its own',
    'mb_model/mb_model/pictures/parts/page.py': 'within animate',
    'mb_model/mb_model/pictures/plane/drawing.py': 'within draw',
    'mb_model/mb_model/pictures/space/drawing.py': 'within draw',
    'mb_ros/mb_ros/keep.py': 'a pipe',
    'mb_sensors/mb_sensors/sources/analog/analog_buffer.py': 'attributes of a device',
    'mb_sensors/mb_sensors/sources/analog/converter.py': 'an emulated device, its own folder'}


def is_writing(call):
    """Whether a call may write a file or a folder whose name others know."""
    name = getattr(call.func, 'attr', getattr(call.func, 'id', ''))
    if name == 'savefig' and any(word.arg == 'format' for word in call.keywords):
        return False        # to memory
    if name == 'open':
        given = [*call.args, *(word.value for word in call.keywords)]
        modes = [one.value for one in given
                 if isinstance(one, ast.Constant) and isinstance(one.value, str)]
        return 'O_CREAT' in ast.unparse(call) or any(
            set(mode) & set('wax+') and set(mode) <= set('rwaxbt+') for mode in modes)
    return name in WRITES


def follows_policy(node):
    """Whether what is in a node writes below a name that the policy made."""
    calls = [item.context_expr for item in node.items] if isinstance(node, ast.With) else [node]
    return any(getattr(call.func, 'attr', getattr(call.func, 'id', '')) in POLICY
               for call in calls if isinstance(call, ast.Call))


def writings(node):
    """Yield the lines of a tree that write otherwise than the policy has it."""
    for child in ast.iter_child_nodes(node):
        if not follows_policy(child):
            if isinstance(child, ast.Call) and is_writing(child):
                yield child.lineno
            yield from writings(child)


def test_all_that_is_written_follows_one_policy():
    found = {}
    for file in sorted(ROOT.glob('src/*/mb_*/**/*.py')):
        lines = list(writings(ast.parse(file.read_text(encoding='utf-8'))))
        if lines and file.parent.name != 'files':
            found[str(file.relative_to(ROOT / 'src'))] = lines
    assert {file: lines for file, lines in found.items() if file not in OTHERS} == {}
    assert set(found) == set(OTHERS)


@pytest.mark.parametrize(('line', 'found'), [
    ("path.write_text('')", True), ("open(path, 'ab')", True), ("open(path, mode='w')", True),
    ('open(path)', False), ("with whole_file(path) as part:\n    part.write_text('')", False),
    ('folder.mkdir()', True), ('os.open(path, os.O_CREAT | os.O_WRONLY)', True),
    ('shutil.copyfile(here, there)', True), ("figure.savefig(text, format='svg')", False)])
def test_what_writes_is_found(line, found):
    assert bool(list(writings(ast.parse(line)))) == found
