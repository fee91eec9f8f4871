"""No node class of ours assigns or defines what belongs to rclpy's Node and LifecycleNode.

On ROS 2 such a node loses what its base keeps there: its services, its publishers, its end.
"""
import ast
from pathlib import Path

import pytest
from reserved_names import reserved_names

ROOT = Path(__file__).parents[1]
RESERVED = reserved_names()
BASES = {'Node', 'LifecycleNode'}


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
