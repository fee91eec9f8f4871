"""The verdict on a run with contacts: was every one told, none invented, and the body named?"""

from mb_bringup.accuracy.verdict import message_objections


def objections(report):
    """Return what speaks against a run, in words; empty if it passed."""
    found = [f'{name} was never heard' for name in report['unheard']]
    found += [f'the contact at {one["begin"]:.2f} s ({" and ".join(one["bodies"])}, '
              f'{one["force"]:.0f} N) was not told'
              for one in report['contacts'] if not one['detected']]
    found += [f'a contact was told at {time:.2f} s, and there was none'
              for time in report['false_alarms']]
    named = [one['named_right'] for one in report['contacts'] if 'named_right' in one]
    if named and sum(named) < report['bounds']['named'] * len(named):
        found.append(f'{len(named) - sum(named)} of {len(named)} contacts were put on a wrong body')
    return found + message_objections(report)
