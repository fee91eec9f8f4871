"""Our packages use of rclpy what it documents, but for a short list of exceptions.

And no node class of ours assigns or defines what belongs to rclpy's Node and LifecycleNode: such a
node loses what its base keeps there: its services, its publishers, its end.
"""
import ast
from collections import defaultdict
from pathlib import Path

import pytest
import rclpy
from rclpy.context import Context
from rclpy.lifecycle import LifecycleNode

ROOT = Path(__file__).parents[1]
BASES = {'Node', 'LifecycleNode'}
OF_OTHERS = {'_asdict', '_exit', '_fields', '_getframe', '_make', '_replace'}
OF_NUMBA = ROOT / 'src/mb_model/mb_model/jit'       # whose insides it knows
NOT_PUBLIC = {'handle', 'take_message', 'destroy_when_not_in_use'}
ALLOWED = {
    # rclpy has no public way to take a message without a wake of an executor, which costs 300 us.
    ('draining_executor.py', 'handle'), ('draining_executor.py', 'take_message'),
    # MuJoCo has no public way to find its library, or where its models and data are.
    ('joint_steps.py', '_functions'), ('spatial_motion.py', '_address'),
    ('tree_motion.py', '_address'),
    # xacro has no public way to say where packages are.
    ('expanding.py', '_eval_dict'),
    # argparse has no public way to list the options of a parser.
    ('test_every_program.py', '_actions'),
    # It looks into nodes of all our packages, at what has been made of their parameters.
    ('test_managed_nodes.py', '_devices'), ('test_managed_nodes.py', '_reports'),
    ('test_managed_nodes.py', '_setup'), ('test_managed_nodes.py', '_stream')}


def reserved_names():
    """Every attribute of a LifecycleNode, private ones too, but not Python's own."""
    context = Context()
    rclpy.init(args=[], context=context)
    node = LifecycleNode('names', context=context)
    try:
        return frozenset(name for name in {*dir(node), *vars(node)} if not name.startswith('__'))
    finally:
        node.destroy_node()
        rclpy.shutdown(context=context)


RESERVED = reserved_names()


def own_names(tree):
    """Every private name that a source defines or sets on its objects."""
    names = set()
    for item in ast.walk(tree):
        if isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(item.name)
        elif isinstance(item, ast.Name) and isinstance(item.ctx, ast.Store):
            names.add(item.id)
        elif isinstance(item, ast.Attribute) and isinstance(item.ctx, ast.Store) and (
                _is_self(item.value)):
            names.add(item.attr)
    return {name for name in names if name.startswith('_')}


def _is_self(item):
    return isinstance(item, ast.Name) and item.id in ('self', 'cls')


def uses(tree, inherited, of_package=frozenset()):
    """(line, name) of everything that is not public and not ours.

    A private name is ours on self if any source of ours defines it, as a base class may; on a class
    that is imported from a package of ours, too; on another object only if the same source does, or
    a source of the package that is given.
    """
    own = own_names(tree) | OF_OTHERS
    classes = {alias.asname or alias.name for item in ast.walk(tree)
               if isinstance(item, ast.ImportFrom) and (item.module or '').startswith('mb_')
               for alias in item.names}
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
            of_class = isinstance(item.value, ast.Name) and item.value.id in classes
            ours = own | (inherited if of_class or _is_self(item.value) else of_package)
            if item.attr in NOT_PUBLIC or by_others or (private and item.attr not in ours):
                yield item.lineno, item.attr


@pytest.fixture(scope='module')
def found():
    """(file, name, place) of all that is not public and not ours in our packages."""
    trees = {path: ast.parse(path.read_text()) for path in sorted((ROOT / 'src').rglob('*.py'))
             if path.parent != OF_NUMBA}
    by_package = defaultdict(set)
    for path, tree in trees.items():
        by_package[_package(path)] |= own_names(tree)
    inherited = set().union(*by_package.values())
    found = []
    for path, tree in trees.items():
        place = path.relative_to(ROOT)
        # Tests look into objects of the package they test.
        of_package = by_package[_package(path)] if 'test' in place.parts else set()
        found += [(path.name, name, f'{place}:{line}: {name}')
                  for line, name in uses(tree, inherited, of_package)]
    return found


def _package(path):
    return path.relative_to(ROOT / 'src').parts[0]


def test_only_public_things_of_rclpy_are_used(found):
    assert not [place for file, name, place in found if (file, name) not in ALLOWED]


def test_every_exception_is_needed(found):
    assert {(file, name) for file, name, _ in found} >= ALLOWED


@pytest.mark.parametrize('source', [
    'from rclpy.impl.handle import Handle', 'import rclpy.impl.errors', 'from rclpy import _spin',
    'from rclpy.impl import errors', 'with node.handle: pass', 'node._services', 'self._pending',
    'self.create_subscription()._take', 'rclpy._executor', 'executor._guard', 'self.node._guard',
    "executor._tasks; names = '_tasks'", 'from ours import _tasks; executor._tasks'])
def test_what_is_not_public_is_found(source):
    """Even if other sources of ours have such a name, or this one without defining it."""
    assert list(uses(ast.parse(source), {'_services', '_guard', '_tasks'}))


@pytest.mark.parametrize('source', [
    'class A:\n  def f(self): self._mine = other._mine = node.services', 'self._guard',
    'cls._guard', 'class A:\n  def _f(self, other): other._f()', 'record._asdict()',
    'estimator._filter'])
def test_our_own_private_names_are_free(source):
    assert not list(uses(ast.parse(source), {'_guard'}, {'_filter'}))


def source_files():
    return sorted(path for folder in ('src', 'benchmarks', 'test')
                  for path in (ROOT / folder).rglob('*.py'))


def node_classes(trees):
    """(file, class definition) of all subclasses of Node, and of their mixins."""
    classes = [(path, item) for path, tree in trees.items() for item in ast.walk(tree)
               if isinstance(item, ast.ClassDef)]
    places = {}         # name -> indices of the classes called so
    for index, (_, item) in enumerate(classes):
        places.setdefault(item.name, set()).add(index)

    parents = []        # for each class the indices of its bases, of the same file first
    for path, item in classes:
        found = [places.get(name, set()) for name in base_names(item)]
        parents.append(set().union(*(
            {i for i in some if classes[i][0] == path} or some for some in found)))
    nodes = {i for i, (_, item) in enumerate(classes) if not BASES.isdisjoint(base_names(item))}
    while more := {i for i, above in enumerate(parents) if above & nodes} - nodes:
        nodes |= more
    while more := set().union(*(parents[i] for i in nodes)) - nodes:
        nodes |= more
    return [classes[i] for i in sorted(nodes)]


def base_names(item):
    return [ast.unparse(base).rpartition('.')[2] for base in item.bases]


def assigned(item):
    """(line, name) of all attributes that a class sets on its objects or in its body."""
    for statement in item.body:
        if isinstance(statement, (ast.Assign, ast.AnnAssign)):
            yield from ((part.lineno, part.id) for part in ast.walk(statement)
                        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store))
        elif isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)) and (
                statement.name.startswith('_')):  # a public method may be overridden
            yield statement.lineno, statement.name
    for part in ast.walk(item):
        if isinstance(part, ast.Attribute) and not isinstance(part.ctx, ast.Load) and (
                isinstance(part.value, ast.Name) and part.value.id == 'self'):
            yield part.lineno, part.attr
        elif isinstance(part, ast.Call) and ast.unparse(part.func) in ('setattr', 'delattr') and (
                isinstance(part.args[1], ast.Constant)):
            yield part.lineno, part.args[1].value


def faults(path, item):
    for line, name in assigned(item):
        private = name.startswith('__') and not name.endswith('__')
        full = f'_{item.name.lstrip("_")}{name}' if private else name
        if full in RESERVED:
            yield f"{path}:{line}: {item.name} sets {full}, which belongs to rclpy's nodes"


def test_no_node_class_sets_what_belongs_to_rclpy():
    trees = {path.relative_to(ROOT): ast.parse(path.read_text()) for path in source_files()}
    classes = node_classes(trees)
    assert len(classes) > 30, 'the node classes are not found any more'
    found = [fault for path, item in classes for fault in faults(path, item)]
    assert not found, '\n'.join(found)


@pytest.mark.parametrize('body', [
    '_services = None', 'def _services(self): pass', 'def f(self): self._services = 1',
    'def f(self): self.a, self._services = 1, 2', 'def f(self): del self._services',
    'def f(self): setattr(self, "_services", 1)', 'def f(self): self.get_name = 1'])
def test_an_attribute_of_rclpy_is_found(body):
    tree = ast.parse(f'class Base(Node): pass\nclass Mixin:\n  {body}\nclass B(Mixin, Base): pass')
    found = [fault for path, item in node_classes({'file.py': tree})
             for fault in faults(path, item)]
    assert len(found) == 1
    assert found[0].startswith('file.py:3: Mixin sets ')
