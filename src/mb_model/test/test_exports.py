"""Modules of exports: names come from where they are defined, when they are asked for."""

import sys

import pytest

from mb_model.jit.source_stamp import _file, _source, source_stamp

EXPORTS = """from typing import TYPE_CHECKING

from mb_model.exports import exports

if TYPE_CHECKING:
    from {package}.first import (
        one,
        two as zwei,
    )
    from {package}.second import three
else:
    EXPORTS, __all__, __getattr__ = exports(__name__)
"""


@pytest.fixture
def package(tmp_path, monkeypatch, request):
    """The name of a package of exports with two modules, and its folder."""
    name = f'mb_toy_{request.node.name.partition("[")[0]}'
    folder = tmp_path / name
    folder.mkdir()
    (folder / '__init__.py').write_text(EXPORTS.format(package=name))
    (folder / 'first.py').write_text('one, two = 1, 2\n')
    (folder / 'second.py').write_text('three = 3\n')
    (folder / 'user.py').write_text(f'from {name} import one, zwei as other\n')
    monkeypatch.syspath_prepend(tmp_path)
    yield name, folder
    for module in [key for key in sys.modules if key.partition('.')[0] == name]:
        del sys.modules[module]


def test_a_name_imports_its_module_alone(package):
    name, _ = package
    module = __import__(name)
    assert module.__all__ == ['one', 'three', 'zwei']
    assert {'one', 'three', 'zwei'} <= set(dir(module))
    assert f'{name}.first' not in sys.modules
    assert (module.one, module.zwei) == (1, 2)
    assert f'{name}.first' in sys.modules
    assert f'{name}.second' not in sys.modules
    assert vars(module)['one'] == 1


def test_other_names_are_missing(package):
    name, _ = package
    with pytest.raises(AttributeError, match=f"module '{name}' has no attribute 'two'"):
        _ = __import__(name).two
    with pytest.raises(ImportError, match='two'):
        exec(f'from {name} import two')


@pytest.mark.parametrize(('changed', 'text', 'counts'), [
    ('first.py', 'one, two = 1, 22\n', True),
    ('second.py', 'three = 33\n', False),
    ('__init__.py', EXPORTS + '# another export\n', False)])
def test_only_sources_of_imported_names_make_compiled_code_outdated(
        package, changed, text, counts):
    name, folder = package
    before = stamp_of(f'{name}.user')
    (folder / changed).write_text(text.format(package=name))
    assert (stamp_of(f'{name}.user') != before) is counts


def test_a_module_beside_the_exports_makes_compiled_code_outdated(package):
    name, folder = package
    (folder / 'other.py').write_text(f'from {name} import second\n')
    before = stamp_of(f'{name}.other')
    (folder / 'second.py').write_text('three = 33\n')
    assert stamp_of(f'{name}.other') != before


def test_a_module_is_exported_like_a_name(package):
    name, folder = package
    (folder / '__init__.py').write_text(EXPORTS.format(package=name).replace(
        f'from {name}.second import three', f'from {name}.inner import whole'))
    (folder / 'inner').mkdir()
    (folder / 'inner' / '__init__.py').write_text('')
    (folder / 'inner' / 'whole.py').write_text('four = 4\n')
    assert __import__(name).whole.four == 4


def stamp_of(module):
    """Return the source stamp that a new process would find."""
    __import__(module)
    for cached in (source_stamp, _source, _file):
        cached.cache_clear()
    return source_stamp(module)
