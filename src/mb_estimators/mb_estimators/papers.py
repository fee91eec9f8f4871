"""Settings as papers have them, which one word sets at once: `as_in`.

Only what the text of a paper states; what it leaves open keeps its default, on fast machines larger
where it is a noise (filters.machine_noise).  What is given beside `as_in` counts more.
"""

from dataclasses import dataclass, field
from typing import Any

from mb_model import SettingError


@dataclass(frozen=True)
class PaperSettings:
    """What a paper sets: of the stream of readings, by name, and of each of its filters."""

    stream: dict[str, Any] = field(default_factory=dict)     # of StreamSettings
    filters: dict[str, dict[str, Any]] = field(default_factory=dict)


_PREDICTS_FIRST = {'first_reading': False}
# Rodriguez et al. 2023, Sec. 12.1; readings that are far off are left out nowhere.
_REVIEW = {'initial_variance': 7.6e-3, 'gate': 0.0}
_WHITE = {**_REVIEW, 'acceleration_psd': 9.162e-2}
_CONSTRAINTS = {**_WHITE, 'as_published': True, 'constraint_tolerance': 1e-3,
                'dependent_variance': 1.0}
_POINTS = {**_WHITE, 'integrator': 'trapezoidal', 'reuse_points': True}     # Eqs. (37) to (42)
PAPERS = {
    'rodriguez2023': PaperSettings(_PREDICTS_FIRST, {
        'cekf': {**_REVIEW, 'acceleration_psd': 0.73303, 'as_published': True},
        'cekf_penalty': {**_REVIEW, 'as_published': True,        # Eq. (27), below it
                         'natural_frequency': 10.0, 'damping_ratio': 1.0},
        'ukf': _POINTS,
        'ssukf': _POINTS,
        'dekf': _WHITE,
        'sckf': {**_CONSTRAINTS, 'weakening': 0.1, 'weakening_decay': 10.0},
        'diekf_pm': {**_CONSTRAINTS, 'constraint_variance': 1e-3},
        'error_ekf': _WHITE,
        'error_ekf_ej': _WHITE,
        'error_ekf_fe': {**_REVIEW, 'acceleration_variance': 2.291e-3},
        'adaptive_error_ekf_fe': {     # Eqs. (91) to (93); the noise is wrong, to be adapted
            **_REVIEW, 'acceleration_variance': 9.162e-2, 'adapt': 'plant', 'window': 50,
            'method': 'maximum_likelihood'},
        'shaping_error_ekf_fe': {
            **_REVIEW, 'acceleration_variance': 2.3428e-3, 'window': 500},
    }),
    # Sec. 3.2, the series up to its first power
    'pyrhonen2023a': PaperSettings(_PREDICTS_FIRST, {
        'dekf_exponential': {'exponential': 'order_1', 'gate': 0.0}}),
    # Sec. 3: measurements on straight lines between their instants
    'pyrhonen2023b': PaperSettings({**_PREDICTS_FIRST, 'interpolate': True}, {
        'hydraulic_kinematic_ekf': {'gate': 0.0}}),
    # Sec. IV-B
    'mohammad2025': PaperSettings(_PREDICTS_FIRST, {
        'platform_ekf': {'initial_variance': 0.1, 'initial_acceleration_variance': 0.1,
                         'gate': 0.0}}),
}


def settings_as_in(paper: str, name: str) -> PaperSettings:
    """Return what a paper sets of a filter, by its name: the stream, and this filter alone.

    paper: a name of PAPERS, '' for none.  Raises SettingError.
    """
    if not paper:
        return PaperSettings(filters={name: {}})
    if paper not in PAPERS:
        raise SettingError(f'as_in: {paper!r} must be one of {", ".join(PAPERS)}')
    known = PAPERS[paper]
    if name not in known.filters:
        raise SettingError(f'as_in: {paper}: sets nothing of {name}, only of '
                           f'{", ".join(known.filters)}')
    return PaperSettings(known.stream, {name: known.filters[name]})
