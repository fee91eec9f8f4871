"""The plan of src/: no circles of imports, imports go down a list of packages, small files."""

import ast
from functools import cache
from pathlib import Path
import re

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

SRC = Path(__file__).resolve().parents[1] / 'src'
# Each may import those behind it; mb_ros is for nodes alone, and imports mb_model.
PACKAGES = ('mb_bringup', 'mb_evaluation', 'mb_simulation', 'mb_contact', 'mb_estimators',
            'mb_sensors', 'mb_model')
MOST_LINES = 300
# What is still to be mended.  A test fails for what is mended and still here, too.
LARGE = set()
CIRCLES_OF_FILES = set()
CIRCLES_OF_FOLDERS = {'mb_model'}


@cache
def modules():
    """Return {full name: file} of all modules in src/, tests aside."""
    found = {}
    for file in SRC.glob('*/*/**/*.py'):
        package, *rest = file.relative_to(SRC).with_suffix('').parts
        if rest[0] == package:
            name = '.'.join(rest)
            found[name.removesuffix('.__init__')] = file
    return found


@cache
def trees():
    """Return {full name: syntax tree}."""
    return {name: ast.parse(file.read_text(encoding='utf-8')) for name, file in modules().items()}


def imported(tree):
    """Yield the full names of modules that a source imports, those in functions, too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                inner = f'{node.module}.{alias.name}'
                yield inner if inner in modules() else node.module


@cache
def imports():
    """Return {module: modules of src/ that it imports}."""
    return {name: {other for other in imported(tree) if other in modules()} - {name}
            for name, tree in trees().items()}


def folder(name):
    """Return the folder of a module, as a dotted name."""
    return name if modules()[name].name == '__init__.py' else name.rpartition('.')[0]


def circles(graph):
    """Return the sets of names that reach each other, {name: names that it points to} given."""
    names = sorted(graph)
    place = {name: k for k, name in enumerate(names)}
    edges = [(place[name], place[other]) for name in names for other in graph[name]]
    rows, columns = np.array(edges).T
    shape = (len(names), len(names))
    _, labels = connected_components(
        csr_array((np.ones(len(edges)), (rows, columns)), shape), connection='strong')
    return [{names[k] for k in np.flatnonzero(labels == label)}
            for label in np.flatnonzero(np.bincount(labels) > 1)]


def of_folders():
    """Return {folder: folders that its modules import}."""
    graph = {folder(name): set() for name in modules()}
    for name, others in imports().items():
        graph[folder(name)] |= {folder(other) for other in others} - {folder(name)}
    return graph


@pytest.mark.parametrize(('graph', 'known'), [
    (imports, CIRCLES_OF_FILES), (of_folders, CIRCLES_OF_FOLDERS)])
def test_no_circle_but_those_to_be_mended(graph, known):
    found = circles(graph())
    assert [circle for circle in found if not circle & known] == []
    assert {name for name in known if not any(name in circle for circle in found)} == set()


def test_circles_are_found():
    graph = {'a': {'b'}, 'b': {'c'}, 'c': {'a'}, 'd': {'a'}}
    assert circles(graph) == [{'a', 'b', 'c'}]


def test_files_are_small():
    large = {name for name, file in modules().items()
             if len(file.read_text(encoding='utf-8').splitlines()) > MOST_LINES}
    assert large == LARGE


@pytest.mark.parametrize('package', PACKAGES)
def test_imports_go_down_the_list(package):
    above = PACKAGES[:PACKAGES.index(package)]
    wrong = {(name, other) for name, others in imports().items() for other in others
             if name.partition('.')[0] == package and other.partition('.')[0] in above}
    assert wrong == set()


def test_ros_stays_in_rooms_of_nodes():
    """Libraries import neither rclpy nor messages, nor a module that does."""
    reach = {name for name, tree in trees().items() if any(map(is_of_ros, imported(tree)))}
    while more := {name for name, others in imports().items() if others & reach} - reach:
        reach |= more
    libraries = PACKAGES[1:]        # mb_bringup is about launching nodes
    assert {name for name in reach
            if name.startswith(libraries) and 'nodes' not in name.split('.')} == set()


def is_of_ros(name):
    """Return whether a module is rclpy, or messages."""
    return name.partition('.')[0] in ('rclpy', 'mb_interfaces') or '_msgs' in name


def test_modules_on_the_walks_exist():
    """A module is named by its package, or in it; only what has a slash is looked up."""
    text = (SRC.parent / 'docs/walks.md').read_text(encoding='utf-8')
    named = {name.replace('/', '.') for name in re.findall(r'`(\w+(?:/\w+)+)`', text)}
    folders = {folder(name) for name in modules()}
    known = {*modules(), *folders}
    wrong = {name for name in named
             if not any(prefix + name in known for prefix in ('', *(f'{p}.' for p in PACKAGES)))}
    assert named
    assert wrong == set()
