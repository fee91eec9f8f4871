"""Objections to the messages and the time of a run of any kind."""

from typing import Any


def message_objections(report: dict[str, Any]) -> list[str]:
    """Return objections to the messages of a run, in words."""
    found = []
    if report['mixed_with_another_run']:
        found.append('another run published on the same topics: ROS_DOMAIN_ID keeps runs apart')
    found += _time_objections(report['time'])
    if report['stamped_outside']:
        found.append(f'{report["stamped_outside"]} messages were stamped outside of the run')
    lost = report['messages_lost']
    if lost:
        parts = ', '.join(f'{kind} {count}' for kind, count in report['lost'].items() if count)
        found.append(f'{lost} messages lost ({parts})')
    return found


def _time_objections(figures):
    """Return objections to the time of a run, by its figures, in words."""
    found = []
    if figures['steps_back']:
        first = figures['first_steps'][0]
        found.append(f'time has stepped back {figures["steps_back"]} times, first from '
                     f'{first["from"]:.3f} s to {first["to"]:.3f} s: another process published '
                     '/clock')
    if figures['publishers']:
        found.append(f'{figures["publishers"]}: ROS_DOMAIN_ID keeps runs apart')
    return found
