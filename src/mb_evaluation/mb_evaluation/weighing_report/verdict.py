"""The verdict on a run with a tool that weighs: bounds, honest intervals, and missed goals."""

from mb_evaluation.reports.verdict import message_objections


def objections(report):
    """Return objections to a run, in words; empty if it passed."""
    bounds = report['bounds']
    found = [f'no message came from {name}' for name in report['silent']]
    for name, one in report['angles'].items():
        found += _beyond(f'{name}: RMSE', one['rmse'], bounds['angle_bound'], 'deg')
    found += _silently_wrong(report)
    loads, edge = report['loads'], report['edge']
    if not report['silent'] and not loads['weighings']:
        found.append('the run is too short: nothing was weighed after the learning')
    found += _beyond('load: RMSE', loads.get('rmse'), bounds['load_bound'], '% of full scale')
    found += _beyond('force at the edge: RMSE', edge.get('rmse'), bounds['force_bound'],
                     '% of its peak')
    return found + message_objections(report)


def misses(report):
    """Return the goals that a run misses, in words: no objections."""
    bounds, found = report['bounds'], []
    for name, one in report['angles'].items():
        found += _beyond(f'{name}: RMSE', one['rmse'], bounds['angle_goal'], 'deg')
        if one['drift'] is not None:
            found += _beyond(f'{name}: drift at rest', abs(one['drift']), bounds['drift_goal'],
                             'deg/min')
    loads, edge = report['loads'], report['edge']
    found += _beyond('load: RMSE', loads.get('rmse'), bounds['load_goal'], '% of full scale')
    found += _beyond('load: largest error', loads.get('largest'), bounds['load_goal'],
                     '% of full scale')
    found += _beyond('load: claimed deviation', loads.get('deviation'), bounds['load_goal'],
                     '% of full scale')
    return found + _beyond('force at the edge: RMSE', edge.get('rmse'), bounds['force_goal'],
                           '% of its peak')


def _silently_wrong(report):
    """Return objections to estimates that are wrong beyond their own intervals.

    One of a few weighings may be beyond its interval of 95 % by chance.
    """
    least, loads = report['bounds']['coverage_goal'], report['loads']
    held = {f'{name}: 95 % intervals hold the truth': (one['coverage_95'], 'of the time')
            for name, one in report['angles'].items()}
    share = loads.get('coverage_95')
    if share is not None and round((1.0 - share) * len(loads['weighings'])) > 1:
        held['load: 95 % intervals hold the truth'] = share, 'of the weighings'
    return [f'{what} {share:.1%} {of}, expected {least:.0%} or more'
            for what, (share, of) in held.items() if share is not None and share < least]


def _beyond(what, value, bound, unit):
    """Return in words that a figure is beyond a bound, if it is."""
    return [] if value is None or value <= bound else [
        f'{what} {value:.3g} {unit}, expected {bound:g} or less']
