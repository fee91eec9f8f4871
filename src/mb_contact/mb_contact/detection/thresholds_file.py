"""Thresholds as a file of parameters that the contact detector node loads."""

from mb_model.file_api import sections_text

_DIGITS = 4
NAMES = {'direct': 'direct_threshold', 'momentum_observer': 'momentum_threshold'}


def thresholds_text(mechanism, settings, thresholds, comments=()):
    """Return a file for `ros2 run mb_contact contact_detector --ros-args --params-file FILE`.

    mechanism: name or path; settings: chosen ones of the detector, by name; thresholds {method:
    (g)}; comments: lines at the top.
    """
    parameters = {'mechanism': str(mechanism)} | {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in settings.items()}
    parameters |= {NAMES[method]: [float(f'{value:.{_DIGITS}g}') for value in values]
                   for method, values in thresholds.items()}
    text = sections_text({'contact_detector': parameters})
    return ''.join(f'# {line}\n' for line in comments) + text
