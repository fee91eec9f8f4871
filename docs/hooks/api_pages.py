"""Pages of what packages export; mkdocstrings reads the sources, and imports nothing for them."""

from dataclasses import is_dataclass
from importlib import import_module
from inspect import getdoc, isclass, isfunction

# Page -> title, and modules of exports, whose names are on it.
PAGES = {
    'mb_model': ('The library of mechanisms', ['mb_model']),
    'mb_import': ('The library of descriptions', ['mb_import']),
    'mb_sensors': ('The library of sensors', ['mb_sensors']),
    'mb_estimators': ('The library of filters', ['mb_estimators']),
    'mb_contact': ('The library of loads and contacts', ['mb_contact']),
    'kinds': ('For authors of kinds', ['mb_model.kind_api', 'mb_model.space_api']),
    'files': ('For who reads and writes files', ['mb_model.file_api']),
    'arrays': ('Types of arrays', ['mb_model.arrays'])}


GROUPED = 'Attributes, by topic:'   # in docstrings of classes


def api_pages():
    """Return {name: text} of pages in Markdown."""
    return {name: '\n'.join(_page(*entry)) + '\n' for name, entry in PAGES.items()}


def _page(title, modules):
    """Yield the lines of a page."""
    yield from (f'# {title}', '')
    for name in modules:
        module = import_module(name)
        example = 'FloatArray' if name == 'mb_model.arrays' else sorted(module.EXPORTS)[0]
        yield from (getdoc(module), '', f'    from {name} import {example}', '')
        groups = {'Classes': [], 'Functions': [], 'Values': []}
        for exported, place in _places(module).items():
            value = getattr(module, exported)
            is_function = isfunction(value) or hasattr(value, '__wrapped__')
            group = 'Classes' if isclass(value) else 'Functions' if is_function else 'Values'
            groups[group].append((exported, place, value))
        for group, entries in groups.items():
            if entries:
                yield from (f'## {group} of {name}' if len(modules) > 1 else f'## {group}', '')
            for exported, place, value in entries:
                if group == 'Values' and name != 'mb_model.arrays':
                    yield from (f'### {exported}', '', _shown(value), '')
                else:
                    yield from _entry(place, value)


def _places(module):
    """Return {name: path of the module that defines it and its name there} of what is exported."""
    if hasattr(module, 'EXPORTS'):
        return {name: '.'.join(module.EXPORTS[name]) for name in sorted(module.EXPORTS)}
    return {name: f'{module.__name__}.{name}' for name in sorted(vars(module))
            if name.endswith(('Array', 'Selection', 'Kernel')) and name != 'NDArray'}


def _shown(value):
    """Return a value in Markdown; of a mapping its keys, of rows what they are."""
    if isinstance(value, dict):
        return f'A mapping of {", ".join(f"`{key}`" for key in value)}.'
    if isinstance(value, tuple) and not isinstance(value[0], str):
        return f'{len(value)} of `{type(value[0]).__name__}`.'
    return f'`{value!r}`'


def _entry(place, value, level=3):
    """Yield the lines of one name, and of the functions that a class takes as its methods."""
    taken = {} if not isclass(value) else {
        name: one for name, one in vars(value).items()
        if isfunction(one) and not name.startswith('_') and one.__module__ != value.__module__}
    yield from (f'::: {place}', '    options:', f'      heading_level: {level}')
    if place.startswith('mb_model.arrays.'):
        yield '      show_attribute_values: true'
    if is_dataclass(value) or GROUPED in (getdoc(value) or ''):     # what shows its attributes
        yield '      show_if_no_docstring: false'
    if taken:
        yield f'      filters: ["!^_", "!^({"|".join(taken)})$"]'
    yield ''
    for one in taken.values():
        yield from _entry(f'{one.__module__}.{one.__name__}', one, level + 2)
