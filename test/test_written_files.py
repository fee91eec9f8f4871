"""Files are written by mb_model.files alone, and ros_tools, which follow nothing planted."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
POLICY = {'whole_file', 'whole_folder', 'new_bag', 'replace_private', 'TemporaryDirectory',
          'part_of'}       # of bags, as ros_tools write them
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
    'mb_sensors/mb_sensors/sources/analog/converter.py': 'an emulated device, its own folder',
    'ros_tools/launch/logging/launch_config.py': "logs, where ROS 2's are",
    'ros_tools/launch_ros/parameter_descriptions.py': 'a temporary file, as in ROS 2',
    'ros_tools/launch_testing/launch_test.py': 'a folder for results of tests',
    'ros_tools/ros_tools/install.py': 'the environment, at set-up: replaced, not followed',
    'ros_tools/ros_tools/interface_build.py': 'the environment, at set-up',
    'ros_tools/ros_tools/interface_sources.py': 'within interface_build',
    'ros_tools/rosbag2_py/compression.py': 'a temporary folder of a reader',
    'ros_tools/rosbag2_py/reindexer.py': 'within part_of',
    'ros_tools/rosbag2_py/reserve.py': 'the folder of a bag, which must be new',
    'ros_tools/rosbag2_py/storages.py': 'a file that the writer has made there',
    'ros_tools/rosbag2_py/writer.py': 'the folder of a bag, which must be new'}


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


def follows_policy(call):
    """Whether an expression is a call of the policy, whose result may be written."""
    return isinstance(call, ast.Call) and getattr(
        call.func, 'attr', getattr(call.func, 'id', '')) in POLICY


def names_in(node):
    """Return the names in a tree, of attributes of self, too."""
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)} - {'self'} | {
        f'self.{one.attr}' for one in ast.walk(node)
        if isinstance(one, ast.Attribute) and getattr(one.value, 'id', '') == 'self'}


def bound_by(node):
    """Yield (target, value) of names that a statement or a loop binds."""
    if isinstance(node, ast.With):
        yield from ((item.optional_vars, item.context_expr) for item in node.items
                    if item.optional_vars is not None)
    elif isinstance(node, ast.For):
        yield node.target, node.iter
    elif isinstance(node, ast.Assign):
        yield from ((target, node.value) for target in node.targets)


def writings(node, allowed=frozenset()):
    """Yield the lines of a tree that write otherwise than the policy has it.

    allowed: names of what the policy made, and of what was made of these.
    """
    if follows_policy(node):
        return
    if isinstance(node, ast.Call) and is_writing(node) and not names_in(node) & allowed:
        yield node.lineno
    for target, value in bound_by(node):
        if follows_policy(value) or names_in(value) & allowed:
            allowed = allowed | names_in(target)
    for child in ast.iter_child_nodes(node):
        yield from writings(child, allowed)
        for target, value in bound_by(child):   # for what comes behind it
            if not isinstance(child, ast.With) and names_in(value) & allowed:
                allowed = allowed | names_in(target)


def test_all_that_is_written_follows_one_policy():
    found = {}
    for file in sorted([*ROOT.glob('src/*/mb_*/**/*.py'), *ROOT.glob('ros_tools/*/**/*.py')]):
        lines = list(writings(ast.parse(file.read_text(encoding='utf-8'))))
        if lines and file.parent.name not in ('files', 'test', 'build'):
            found[str(file.relative_to(ROOT)).removeprefix('src/')] = lines
    assert {file: lines for file, lines in found.items() if file not in OTHERS} == {}
    assert set(found) == set(OTHERS)


@pytest.mark.parametrize(('line', 'found'), [
    ("path.write_text('')", True), ("open(path, 'ab')", True), ("open(path, mode='w')", True),
    ('open(path)', False), ("with whole_file(path) as part:\n    part.write_text('')", False),
    ("with whole_file(path) as part:\n    path.write_text('')", True),
    ("with whole_file(path) as part, open(part, 'w') as file:\n    file.write('')", False),
    ("with whole_file(path) as part, open(path, 'w') as file:\n    file.write('')", True),
    ('with whole_folder(path) as new:\n    a = new / "a"\n    a.mkdir()', False),
    ('with whole_folder(path) as new:\n    a = path / "a"\n    a.mkdir()', True),
    ('with whole_folder(path) as new:\n    pass\nnew.mkdir()', True),
    ('with whole_folder(path) as new:\n    for k in "ab":\n        (new / k).mkdir()', False),
    ('folder.mkdir()', True), ('os.open(path, os.O_CREAT | os.O_WRONLY)', True),
    ('shutil.copyfile(here, there)', True), ("figure.savefig(text, format='svg')", False)])
def test_what_writes_is_found(line, found):
    assert bool(list(writings(ast.parse(line)))) == found
