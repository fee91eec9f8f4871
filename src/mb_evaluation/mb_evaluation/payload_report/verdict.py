"""The verdict on a run with a payload: is the mass right, is the observer honest, is all there?"""

from collections import defaultdict

from mb_evaluation.reports.verdict import message_objections
from mb_evaluation.run_log.bad_line import LEFT_OUT


def objections(report):
    """Return objections to a run, in words; empty if it passed."""
    found = [f'no message came from {name}' for name in report['silent']]
    if report['first_motion'] is None:
        found.append('no cylinder moved faster than its transition velocity')
    for name, figures in report['masses'].items():
        found += _mass_objections(name, figures)
    slow = report['updating']['below_transition_velocity']
    if slow:
        found.append(f'{slow} updates of the mass below the transition velocity')
    found += _coverage_objections(report) + _complaint_objections(report)
    return found + message_objections(report)


def _mass_objections(name, figures):
    """Return objections to the estimate of a mass."""
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


def remarks(report):
    """Return remarks that are no objections, in words."""
    high = report['bounds']['coverage_high']
    return [f'{name}: 95 % intervals hold the truth {share:.1%} of the time, wider than needed'
            for name, share, _ in _judged_coverage(report) if share > high]


def _coverage_objections(report):
    """Return which intervals hold the truth too seldom, at all instants or while it moves."""
    low, found = report['bounds']['coverage_low'], []
    for name, share, moving in _judged_coverage(report):
        if share < low:
            found.append(f'{name}: 95 % intervals hold the truth {share:.1%} of the time, expected '
                         f'{low:.0%} or more')
        elif moving is not None and moving < low:
            found.append(f'{name}: 95 % intervals hold the truth {moving:.1%} of the time while '
                         f'cylinders move, expected {low:.0%} or more')
    return found


def _judged_coverage(report):
    """Return (name, coverage, coverage in motion) of positions, velocities, pressures."""
    return [(name, figures['coverage_95'], figures['coverage_95_moving'])
            for name, figures in report['observer'].items()
            if name.endswith(('position', 'velocity', 'pressure'))
            and figures['coverage_95'] is not None]


def _complaint_objections(report):
    """Return which nodes complained of the same for long, in any words, unless it was asked for.

    The subject of a complaint is before its colon; the figures behind it change.
    """
    total, last = defaultdict(float), {}
    for one in report['complaints']:
        if report['disturbed'] and one['message'] == LEFT_OUT:
            continue
        key = one['node'], one['message'].partition(':')[0]
        end = report['duration'] if one['to'] is None else min(one['to'], report['duration'])
        total[key] += max(0.0, end - max(one['from'], 0.0))
        last[key] = one['message']
    return [f'{node} complained for {time / report["duration"]:.0%} of the run: {last[node, what]}'
            for (node, what), time in total.items()
            if time > report['bounds']['complaints'] * report['duration']]
