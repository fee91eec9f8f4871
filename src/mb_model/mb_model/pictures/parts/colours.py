"""Colours of pictures: of bodies one after the other, of lines, of text."""

from collections.abc import Iterable

INK, PALE = '#222222', '#ffffff'
COLOURS = ('#4477aa', '#ee6677', '#228833', '#ccbb44', '#66ccee', '#aa3377')
_TINT = 0.6         # share of white in the fill of a body
_SHADE = 0.6        # of the brightness of its line in its name


def tint(colour: str) -> str:
    """Return a colour '#rrggbb' mixed with white."""
    return _coloured(part + (255 - part) * _TINT for part in parts_of(colour))


def shade(colour: str) -> str:
    """Return a colour '#rrggbb' dark enough for text."""
    return _coloured(part * _SHADE for part in parts_of(colour))


def parts_of(colour: str) -> list[int]:
    """Return red, green and blue of a colour '#rrggbb', 0 to 255."""
    return [int(colour[k:k + 2], 16) for k in (1, 3, 5)]


def _coloured(parts: Iterable[float]) -> str:
    return '#' + ''.join(f'{round(part):02x}' for part in parts)
