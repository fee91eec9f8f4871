"""The verdict on a run with a payload: is the mass right, is the observer honest, is all there?"""

from mb_bringup.accuracy.verdict import message_objections


def objections(report):
    """Return what speaks against a run, in words; empty if it passed."""
    found = [f'{name} was never heard' for name in report['unheard']]
    if report['first_motion'] is None:
        found.append('no cylinder moved faster than its transition velocity')
    for name, figures in report['masses'].items():
        found += _mass_objections(name, figures)
    slow = report['updating']['below_transition_velocity']
    if slow:
        found.append(f'{slow} updates of the mass below the transition velocity')
    found += _coverage_objections(report)
    return found + message_objections(report)


def _mass_objections(name, figures):
    """Return what speaks against the estimate of a mass."""
    found = []
    if figures['unknown']:
        found.append(f'{name}: no mass at {figures["unknown"]} instants')
    elif 'error_largest' not in figures:
        found.append(f'{name}: the run is too short to judge the mass, which settles for 5 s')
    if figures.get('within_bound', 1.0) < 1.0:
        found.append(
            f'{name}: up to {figures["error_largest"]:.3g} kg off, '
            f'{1.0 - figures["within_bound"]:.1%} of the time more than {figures["bound"]:.3g} kg')
    return found


def _coverage_objections(report):
    """Return which intervals hold the truth too seldom or too often."""
    low, high = report['bounds']['coverage_low'], report['bounds']['coverage_high']
    found = []
    for name, figures in report['observer'].items():
        share = figures['coverage_95']
        judged = name.endswith(('position', 'velocity', 'pressure'))
        if judged and share is not None and not low <= share <= high:
            found.append(f'{name}: 95 % intervals hold the truth {share:.1%} of the time, expected '
                         f'{low:.0%} to {high:.0%}')
    return found
