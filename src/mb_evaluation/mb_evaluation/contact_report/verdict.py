"""The verdict on a run with contacts: was every one detected, none invented, and the body named?"""

from mb_evaluation.reports.verdict import message_objections


def objections(report):
    """Return objections to a run, in words; empty if it passed.

    Contacts above the thresholds are judged; others may be detected or not.
    """
    found = [f'no message came from {name}' for name in report['silent']]
    judged = [one for one in report['contacts'] if one['level'] == 'above']
    found += [f'the contact at {one["begin"]:.2f} s ({" and ".join(one["bodies"])}, '
              f'{one["force"]:.0f} N) was not detected'
              for one in judged if not one['detected']]
    found += [f'a contact was detected at {time:.2f} s, and there was none'
              for time in report['false_alarms']]
    return found + _naming_objections(judged, report['bounds']) + message_objections(report)


def _naming_objections(judged, bounds):
    """Return objections to the names of contacts."""
    found, named = [], [one['naming'] for one in judged if 'naming' in one]
    certain = [one for one in named if one != 'ambiguous']
    wrong, ambiguous = certain.count('wrong'), len(named) - len(certain)
    if len(certain) - wrong < bounds['named'] * len(certain):
        found.append(f'{wrong} of {len(certain)} contacts were put on a wrong body')
    if ambiguous > bounds['ambiguous'] * len(named):
        found.append(f'of {ambiguous} of {len(named)} contacts the body is ambiguous')
    return found
