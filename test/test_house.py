"""The plan of src/: no circles of imports, imports go down a list of packages, small files."""

import ast
from functools import cache
from pathlib import Path
import re

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from mb_model.exports import exported_names

SRC = Path(__file__).resolve().parents[1] / 'src'
# Each may import those behind it; mb_ros is for nodes, and imports mb_model.
PACKAGES = ('mb_bringup', 'mb_evaluation', 'mb_simulation', 'mb_contact', 'mb_estimators',
            'mb_sensors', 'mb_import', 'mb_model')
# Others use these through their modules of exports, which are made by mb_model.exports.
EXPORTING = ('mb_contact', 'mb_estimators', 'mb_sensors', 'mb_import', 'mb_model')
EXPORTS = 'mb_model.exports'
# All that these define is for others.
OPEN = ('mb_model.arrays', 'mb_model.exports', 'mb_model.jit', 'mb_model.record',
        'mb_model.record.hydraulics')
# Of mb_ros; arithmetic that nodes and libraries share.
RULES_OF_STAMPS = ('mb_ros.checked_stamps', 'mb_ros.device_clock', 'mb_ros.stamp_jump_guard')
MOST_LINES = 300


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


@cache
def exported():
    """Return {module of exports: {name: (module that defines it, its name there)}}."""
    return {name: exported_names(modules()[name].read_text(encoding='utf-8'))
            for name, tree in trees().items()
            if any(getattr(node, 'module', '') == EXPORTS for node in tree.body)}


def imported(tree):
    """Yield the full names of modules that a source imports, those in functions, too.

    A name from a module of exports is imported from the module that defines it.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                module, name = exported().get(node.module, {}).get(
                    alias.name, (node.module, alias.name))
                inner = f'{module}.{name}'
                yield inner if inner in modules() else module


@cache
def imports():
    """Return {module: modules of src/ that it imports}; modules of exports import when asked."""
    return {name: {EXPORTS} if name in exported() else
            {other for other in imported(tree) if other in modules()} - {name}
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


@pytest.mark.parametrize('graph', [imports, of_folders])
def test_no_circle(graph):
    assert circles(graph()) == []


def test_circles_are_found():
    graph = {'a': {'b'}, 'b': {'c'}, 'c': {'a'}, 'd': {'a'}}
    assert circles(graph) == [{'a', 'b', 'c'}]


def test_files_are_small():
    large = {name for name, file in modules().items()
             if len(file.read_text(encoding='utf-8').splitlines()) > MOST_LINES}
    assert large == set()


@pytest.mark.parametrize('package', PACKAGES)
def test_imports_go_down_the_list(package):
    above = PACKAGES[:PACKAGES.index(package)]
    wrong = {(name, other) for name, others in imports().items() for other in others
             if name.partition('.')[0] == package and other.partition('.')[0] in above}
    assert wrong == set()


def users():
    """Yield (name, package, syntax tree) of what may use packages: src/, launch files, ..."""
    yield from ((name, name.partition('.')[0], tree) for name, tree in trees().items()
                if name not in exported())
    root = SRC.parent
    for file in (*SRC.glob('*/launch/*.py'), *root.glob('benchmarks/**/*.py'),
                 *root.glob('test/new_kinds/**/*.py'), *root.glob('docs/**/*.py')):
        yield str(file.relative_to(root)), '', ast.parse(file.read_text(encoding='utf-8'))


def past_exports(tree, package, exporting):
    """Yield the names that a source of a package imports past the exports of others."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found = [alias.name for alias in node.names if '.' in alias.name]
        elif isinstance(node, ast.ImportFrom) and node.module and node.module not in OPEN:
            found = [f'{node.module}.{alias.name}' for alias in node.names
                     if alias.name not in exported().get(node.module, ())]
        else:
            continue
        yield from (name for name in found
                    if name.partition('.')[0] in exporting and not name.startswith(f'{package}.'))


def test_others_use_what_packages_export():
    wrong = {(user, name) for user, package, tree in users()
             for name in past_exports(tree, package, EXPORTING)}
    assert wrong == set()


def test_imports_past_exports_are_found():
    source = ('import mb_sensors.noise\nfrom mb_sensors import Sensor, arrival\n'
              'from mb_sensors.sensor import Sensor\nfrom mb_contact.experiment import simulate\n')
    assert set(past_exports(ast.parse(source), 'mb_contact', EXPORTING)) == {
        'mb_sensors.noise', 'mb_sensors.arrival', 'mb_sensors.sensor.Sensor'}


def test_modules_of_a_package_do_not_import_its_exports():
    wrong = {(name, node.module) for name, tree in trees().items() if name not in exported()
             for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)
             if node.module in exported() and node.module.startswith(name.partition('.')[0])
             and not all(f'{node.module}.{alias.name}' in modules() for alias in node.names)}
    assert wrong == set()


@pytest.mark.parametrize('module', sorted(exported()))
def test_exported_names_are_defined_once(module):
    """Each where the list says; a module of the same name would hide it once it is imported."""
    names = exported()[module]
    lost = {name: origin for name, (origin, original) in names.items()
            if f'{origin}.{original}' not in modules() and original not in defined(trees()[origin])}
    assert lost == {}
    assert {name for name in names if f'{module}.{name}' in modules()} == set()
    twice = {origin for other, others in exported().items() if other != module
             for origin in others.values()} & set(names.values())
    assert twice == set()


def defined(tree):
    """Return the names that a module defines, without imported ones."""
    found = set()
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            found |= {one.id for one in ast.walk(node)
                      if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
    return found


def test_ros_stays_in_rooms_of_nodes():
    """Libraries import neither rclpy nor messages, nor a module that does."""
    reach = {name for name, tree in trees().items() if any(map(is_of_ros, imported(tree)))}
    while more := {name for name, others in imports().items() if others & reach} - reach:
        reach |= more
    libraries = PACKAGES[1:]        # mb_bringup is about launching nodes
    assert {name for name in reach
            if name.startswith(libraries) and 'nodes' not in name.split('.')} == set()


def test_libraries_use_the_rules_of_stamps_alone_of_mb_ros():
    wrong = {(name, other) for name, others in imports().items() for other in others
             if name.startswith(PACKAGES[1:]) and 'nodes' not in name.split('.')
             and other.startswith('mb_ros.') and other not in RULES_OF_STAMPS}
    assert wrong == set()


def is_of_ros(name):
    """Return whether a module is rclpy, or messages."""
    package = name.partition('.')[0]
    return package in ('rclpy', 'builtin_interfaces', 'mb_interfaces') or '_msgs' in name


def test_modules_on_the_walks_exist():
    """A module is named by its package, or in it; only what has a slash is looked up."""
    text = (SRC.parent / 'docs/explanation/walks.md').read_text(encoding='utf-8')
    named = {name.replace('/', '.') for name in re.findall(r'`(\w+(?:/\w+)+)`', text)}
    folders = {folder(name) for name in modules()}
    known = {*modules(), *folders}
    wrong = {name for name in named
             if not any(prefix + name in known for prefix in ('', *(f'{p}.' for p in PACKAGES)))}
    assert named
    assert wrong == set()


def test_compiling_has_one_home():
    """Elsewhere numba gives names of types alone."""
    types = {f'numba.{name}' for name in ('boolean', 'float64', 'from_dtype', 'int32', 'int64',
                                          'intp', 'typeof', 'void')}
    wrong = {(name, other) for name, tree in trees().items() if folder(name) != 'mb_model.jit'
             for other in imported_names(tree)
             if other.partition('.')[0] in ('numba', 'llvmlite') and other not in types}
    assert wrong == set()


def imported_names(tree):
    """Yield the full names of what a source imports from elsewhere."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f'{node.module}.{alias.name}' for alias in node.names)
