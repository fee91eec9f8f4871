"""Fitted friction as a mechanism file that extends the one it was fitted with."""

from mb_contact.friction.law import LINEAR, PARAMETERS
from mb_model.file_api import overrides_text

_DIGITS = 5
_ORDER = *LINEAR, PARAMETERS[0]


def friction_overrides(fits):
    """Return {cylinder: FrictionFit} as overrides of a mechanism, for Mechanism.replace.

    Only fitted parameters; static friction follows Coulomb friction.
    """
    return {'hydraulics': {'cylinders': {
        name: {'friction': {key: float(f'{fit.parameters[key]:.{_DIGITS}g}')
                            for key in _ORDER if _is_written(fit, key)}}
        for name, fit in fits.items()}}}


def friction_text(fits, mechanism, comments=()):
    """Return a mechanism file with the friction of {cylinder: FrictionFit}.

    mechanism: name or absolute path of the file it extends; comments: lines at the top.
    """
    lines = []
    for name, fit in fits.items():
        lines.append(f'{name}, 1 sigma: ' + ', '.join(
            f'{key} {deviation_text(fit, key)}' for key in _ORDER))
        lines += [f'{name}: {doubt.text}' for doubt in fit.doubts]
    return overrides_text(mechanism, friction_overrides(fits), (*comments, *lines))


def deviation_text(fit, key):
    """Return the deviation of a parameter of a FrictionFit, or that it is as in the mechanism."""
    return f'{fit.deviations[key]:.2g}' if key in fit.deviations else 'kept'


def _is_written(fit, key):
    return key not in fit.kept or (key == 'static' and 'coulomb' not in fit.kept)
