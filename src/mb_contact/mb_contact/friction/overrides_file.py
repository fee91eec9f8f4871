"""Fitted friction as a mechanism file that extends the one it was fitted with."""

from mb_contact.friction.law import LINEAR, PARAMETERS
from mb_model.mechanism_file.overrides import overrides_text

_DIGITS = 5


def friction_overrides(fits):
    """Return {cylinder: FrictionFit} as overrides of a mechanism, for Mechanism.replace."""
    return {'hydraulics': {'cylinders': {
        name: {'friction': {key: float(f'{fit.parameters[key]:.{_DIGITS}g}')
                            for key in (*LINEAR, PARAMETERS[0])}}
        for name, fit in fits.items()}}}


def friction_text(fits, mechanism, comments=()):
    """Return a mechanism file with the friction of {cylinder: FrictionFit}.

    mechanism: name or absolute path of what it extends; comments: lines at the top.
    """
    deviations = [f'{name}, 1 sigma: ' + ', '.join(
        f'{key} {fit.deviations[key]:.2g}' for key in (*LINEAR, PARAMETERS[0]))
        for name, fit in fits.items()]
    return overrides_text(mechanism, friction_overrides(fits), (*comments, *deviations))
