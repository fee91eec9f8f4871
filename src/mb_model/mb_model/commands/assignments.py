"""Assignments on the command line: KEY=VALUE."""

import yaml

from mb_model.mechanism_file.overrides import merged


def changes_of(texts, option='--set'):
    """Return the overrides of texts such as 'bodies.crank.mass=3'; raises ValueError.

    option: of the command, that the texts were given by.
    """
    changes = {}
    for text in texts:
        path, value = assignment(text, option)
        for key in reversed(path.split('.')):
            value = {key: value}
        changes = merged(changes, value)
    return changes


def assignment(text, option):
    """Return (key, value) of a text 'key=value', the value read as YAML; raises ValueError."""
    key, equals, value = text.partition('=')
    try:
        value = yaml.safe_load(value)
    except yaml.YAMLError:
        equals = ''
    if not (key and equals):
        raise ValueError(f'{option} {text}: must be KEY=VALUE')
    return key, value
