"""Fitted friction as a mechanism file that extends the one it was fitted with."""

from mb_contact.friction.law import CYLINDER
from mb_model.file_api import overrides_text

_DIGITS = 5


def friction_overrides(fits):
    """Return {cylinder or force: FrictionFit} as overrides of a mechanism, for Mechanism.replace.

    Only fitted parameters; static friction follows Coulomb friction.
    """
    numbers = {name: {key: float(f'{fit.parameters[key]:.{_DIGITS}g}')
                      for key in _order(fit) if _is_written(fit, key)}
               for name, fit in fits.items()}
    if any(fit.law is not CYLINDER for fit in fits.values()):
        return {'forces': numbers}
    return {'hydraulics': {'cylinders': {
        name: {'friction': one} for name, one in numbers.items()}}}


def friction_text(fits, mechanism, comments=()):
    """Return a mechanism file with the friction of {cylinder or force: FrictionFit}.

    mechanism: name or absolute path of the file it extends; comments: lines at the top.
    """
    lines = []
    for name, fit in fits.items():
        lines.append(f'{name}, 1 sigma: ' + ', '.join(
            f'{key} {deviation_text(fit, key)}' for key in _order(fit)))
        lines += [f'{name}: {text}' for text in (*(one.text for one in fit.doubts), *fit.notes)]
    return overrides_text(mechanism, friction_overrides(fits), (*comments, *lines))


def deviation_text(fit, key):
    """Return the deviation of a parameter of a FrictionFit, or that it is as in the mechanism."""
    return f'{fit.deviations[key]:.2g}' if key in fit.deviations else 'kept'


def _order(fit):
    return (*fit.law.linear, 'transition_velocity')


def _is_written(fit, key):
    return key not in fit.kept or fit.law.excess.get(key, key) not in fit.kept
