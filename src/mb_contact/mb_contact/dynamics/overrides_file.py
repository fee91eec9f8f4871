"""Fitted dynamics as a mechanism file that extends the one they were fitted with."""

from mb_model.file_api import overrides_text, parameter_overrides

_DIGITS = 6


def dynamics_overrides(fit, mechanism):
    """Return a DynamicsFit as overrides of the mechanism, for Mechanism.replace."""
    return parameter_overrides(mechanism, {
        name: float(f'{value:.{_DIGITS}g}') for name, value in fit.parameters.items()})


def dynamics_text(fit, mechanism, extends, comments=()):
    """Return a mechanism file with the parameters of a DynamicsFit.

    extends: name or absolute path of the mechanism; comments: lines at the top.
    """
    sums = [f'{base.text}: {base.value(fit.parameters):.{_DIGITS}g}, 1 sigma '
            f'{fit.deviations[base.name]:.2g}' for base in fit.base]
    return overrides_text(extends, dynamics_overrides(fit, mechanism),
                          (*comments, *sums, *fit.doubts))
