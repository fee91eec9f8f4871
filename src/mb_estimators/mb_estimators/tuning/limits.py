"""Ranges of settings from texts such as 'acceleration_psd=1e-4:1'."""

import yaml


def limits_of(texts):
    """Return {name: (low, high), a list of choices, or None} of NAME, NAME=LOW:HIGH, NAME=A,B.

    Raises ValueError.
    """
    limits = {}
    for text in texts:
        name, equals, rest = text.partition('=')
        if not name or (equals and not rest):
            raise ValueError(f'--vary {text}: must be NAME, NAME=LOW:HIGH or NAME=A,B,...')
        if ':' in rest:
            limits[name] = tuple(_number(text, part) for part in rest.split(':'))
        else:
            limits[name] = [yaml.safe_load(part) for part in rest.split(',')] if equals else None
    return limits


def _number(text, part):
    try:
        return float(part)
    except ValueError:
        raise ValueError(f'--vary {text}: {part!r} must be a number') from None
