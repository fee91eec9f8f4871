"""Our packages use of rclpy what it documents, but for a short list of exceptions."""
import ast
from pathlib import Path
import runpy

import pytest

ROOT = Path(__file__).parents[1]
NAMES = ROOT / 'embedded_ros/rclpy/impl/reserved_names.py'
RESERVED = runpy.run_path(str(NAMES))['LIFECYCLE_NODE']
OF_OTHERS = {'_asdict', '_exit', '_fields', '_getframe', '_locator_classes', '_replace'}
NOT_PUBLIC = {'handle', 'take_message', 'destroy_when_not_in_use'}
ALLOWED = {
    # rclpy has no public way to take a message without a wake of an executor, which costs 300 us.
    ('draining_executor.py', 'handle'), ('draining_executor.py', 'take_message'),
    ('test_draining_executor.py', 'handle'), ('test_draining_executor.py', 'take_message')}


def own_names(trees):
    """Every private name that our own sources define or set on their objects."""
    names = set()
    for item in (item for tree in trees.values() for item in ast.walk(tree)):
        if isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(item.name)
        elif isinstance(item, ast.Name) and isinstance(item.ctx, ast.Store):
            names.add(item.id)
        elif isinstance(item, ast.Attribute) and isinstance(item.ctx, ast.Store) and (
                _is_self(item.value)):
            names.add(item.attr)
        elif isinstance(item, ast.alias):
            names.add(item.asname or item.name)
        elif isinstance(item, ast.Constant) and isinstance(item.value, str):  # __slots__
            names.add(item.value)
    return {name for name in names if name.startswith('_')}


def _is_self(item):
    return isinstance(item, ast.Name) and item.id == 'self'


def uses(tree, own):
    """(line, name) of everything that is not public and not ours."""
    for item in ast.walk(tree):
        if isinstance(item, ast.ImportFrom) and (item.module or '').startswith('rclpy'):
            for name in [*item.module.split('.'), *(alias.name for alias in item.names)]:
                if name == 'impl' or name.startswith('_'):
                    yield item.lineno, name
        elif isinstance(item, ast.Import):
            yield from ((item.lineno, alias.name) for alias in item.names
                        if alias.name.startswith('rclpy.impl'))
        elif isinstance(item, ast.Attribute) and not item.attr.startswith('__'):
            private = item.attr.startswith('_')
            by_others = private and item.attr in RESERVED and not _is_self(item.value)
            if item.attr in NOT_PUBLIC or by_others or (
                    private and item.attr not in own | OF_OTHERS):
                yield item.lineno, item.attr


@pytest.fixture(scope='module')
def trees():
    """The syntax tree of every source file of our packages."""
    return {path: ast.parse(path.read_text()) for path in sorted((ROOT / 'src').rglob('*.py'))}


def test_only_public_things_of_rclpy_are_used(trees):
    own = own_names(trees)
    found = [(path.name, name, f'{path.relative_to(ROOT)}:{line}: {name}')
             for path, tree in trees.items() for line, name in uses(tree, own)]
    assert not [place for file, name, place in found if (file, name) not in ALLOWED]


@pytest.mark.parametrize('source', [
    'from rclpy.impl.handle import Handle', 'import rclpy.impl.errors', 'from rclpy import _spin',
    'from rclpy.impl import errors', 'with node.handle: pass', 'node._services', 'self._pending',
    'self.create_subscription()._take', 'rclpy._executor'])
def test_what_is_not_public_is_found(source):
    assert list(uses(ast.parse(source), {'_services'}))


def test_our_own_private_names_are_free():
    tree = ast.parse('class A:\n  def f(self): self._mine = other._mine = self._f(); node.services')
    assert not list(uses(tree, own_names({'file': tree}) | {'_f'}))
