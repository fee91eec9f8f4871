"""Filters of parameters that are given as known: all but filters of the motion alone."""

PARAMETER_FILTERS = ('augmented_ekf', 'dual_ukf_error_ekf_fe')


def known_parameters(name):
    """Return the settings of a filter by which no parameter, force or branch is in doubt."""
    if name not in PARAMETER_FILTERS:
        return {'adekf': {'force_deviations': (1e-9,), 'force_walks': (0.0,)},
                'interacting_models': {'modes': (0.0, 0.0)}, 'branch_filter': {'most': 1}}.get(
                    name, {})
    return {'parameter_deviations': (1e-9,), 'parameter_walks': (0.0,)}
