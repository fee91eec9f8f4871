"""The progress of a running simulation on the terminal, and what it came to."""

BAR_WIDTH = 30


def progress_line(reached, duration, factor, errors=None, lost=None, found=''):
    """Return one line on a running simulation.

    reached, duration: simulated [s]; factor: real-time factor or None; errors: label -> newest
    errors (g) or None; lost: messages, None if unknown so far; found: further text.
    """
    share = min(1.0, reached / duration)
    bar = ('━' * round(share * BAR_WIDTH)).ljust(BAR_WIDTH, '·')
    parts = [f'{bar} {reached:6.2f} / {duration:g} s']
    if factor is not None:
        parts.append(f'{factor:.2f} x real time')
    parts += [f'{label} off by ' + ' '.join(f'{error:+.4f}' for error in values)
              for label, values in (errors or {}).items() if values is not None]
    if lost is not None:
        parts.append(f'lost {lost}')
    if found:
        parts.append(found)
    return '  '.join(parts)


def ended_line(report):
    """Return one line on the speed of a run that has ended, and on what it lost."""
    factor, readings = report['real_time_factor'], report['readings']
    return (f'{report["duration"]:g} s simulated · real-time factor '
            f'{"-" if factor is None else format(factor, ".2f")} · messages lost '
            f'{report["messages_lost"]} · readings used {readings["used"]}, rejected '
            f'{readings["rejected"]}')
