"""The page of the benchmark of filters: tables."""

import numpy as np

from benchmarks.cases import QUANTITIES, SEEDS, on_track
from benchmarks.figures import RESULTS
from benchmarks.review_reference import (
    AS_PAPER,
    FILTERS,
    PAPER,
    SENSORS,
    TOOLBOX_SEEDS,
    WAYS,
    toolbox,
)

WORSE = 1.1                      # times the toolbox: more than seeds scatter with encoders


def write_page(errors, times, figures):
    """Write results/review.md.

    errors: {(way, filter, sensor): {quantity: (seeds)}}; times: {filter: s}; figures: for verdicts.
    """
    lines = [
        '# Filters beside each other', '',
        'The benchmark of Rodriguez et al. 2023, Sec. 12: four-bar linkage at 200 Hz for 10 s, '
        f'gravity 1 m/s^2 and crank pi/16 wrong, mean over {len(SEEDS)} noise seeds. '
        'Root mean square errors of position [rad], position after 2 s [rad], velocity [rad/s], '
        f'acceleration [rad/s^2]: first "{AS_PAPER}" as in paper and toolbox, then with a reading '
        "at the start; below, the authors' toolbox, run by us with "
        f'{TOOLBOX_SEEDS} seeds. The paper states in prose, with the crank encoder: cekf '
        f'{PAPER["cekf"][0]} rad, {PAPER["cekf"][1]} after 2 s; all others '
        f'{PAPER["others"][0]} to {PAPER["others"][1]}.', '',
        f'| filter | step [us] |{"".join(f" {_words(sensor)} |" for sensor in SENSORS)}',
        f'| --- | ---: |{" --- |" * len(SENSORS)}']
    for name in FILTERS:
        cells = [_cell([errors[way, name, sensor] for way in WAYS], _toolbox(name, sensor))
                 for sensor in SENSORS]
        lines.append(f'| {name} | {1e6 * times[name]:.0f} | {" | ".join(cells)} |')
    lines += ['', '## Bounds', ''] + [
        f'- {"met" if figure.met else "MISSED"}: {figure.name} {figure.value:.3g} {figure.unit}, '
        f'expected {figure.target_text()}' for figure in figures if figure.target is not None]
    lines += ['', *worse_than_toolbox(errors)]
    lines += ['', '## Standard deviations between seeds', '',
              f'| filter | sensor | way |'
              f'{"".join(f" {text} [{unit}] |" for text, unit in QUANTITIES.values())}',
              f'| --- | --- | --- |{" --- |" * len(QUANTITIES)}']
    lines += [f'| {name} | {_words(sensor)} | {way} |'
              + ''.join(f' {_spread(found[quantity])} |' for quantity in QUANTITIES)
              for (way, name, sensor), found in errors.items()]
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / 'review.md').write_text('\n'.join(lines) + '\n')


def worse_than_toolbox(errors):
    """Return the lines of a table of all that is more than WORSE times the toolbox's figure.

    Of the way that the toolbox goes.  Beside the ratio: how many standard errors lie between our
    mean and the mean of few seeds of the toolbox, if its seeds scatter as ours do.  Lost seeds are
    counted, and are in no mean.
    """
    rows = []
    for (way, name, sensor), found in errors.items():
        kept, known = _on_track(found), _toolbox(name, sensor) if way == AS_PAPER else None
        lost = '' if kept.all() else f', {(~kept).sum()} of {len(SEEDS)} seeds lost'
        for quantity, value in zip(QUANTITIES, known or (), strict=False):
            ours = found[quantity][kept]
            if value is None or not len(ours) or ours.mean() <= WORSE * value:
                continue
            apart = (ours.mean() - value) / (
                ours.std(ddof=1) * np.sqrt(1.0 / TOOLBOX_SEEDS + 1.0 / len(ours)))
            text, unit = QUANTITIES[quantity]
            rows.append(f'| {name} | {_words(sensor)}{lost} | {text} [{unit}] | '
                        f'{ours.mean():.2g} | {value:.2g} | {ours.mean() / value:.2f} | '
                        f'{apart:.1f} |')
    return [f'## More than {100 * (WORSE - 1):.0f} % above the toolbox', '',
            '| filter | sensor | figure | ours | toolbox | ratio | standard errors apart |',
            '| --- | --- | --- | ---: | ---: | ---: | ---: |', *(rows or ['| none | | | | | | |'])]


def _toolbox(name, sensor):
    return toolbox(FILTERS[name].filter, sensor)


def _on_track(found):
    return on_track(found['position_rmse_after_2s'])


def _words(name):
    return name.replace('_', ' ')


def _cell(ways, known):
    """Return our figures in a line for each way, and the toolbox's in a last one."""
    lines = [_line(found) for found in ways]
    if known is not None:
        lines.append(' / '.join('-' if x is None else f'{x:.2g}' for x in known))
    return '<br>'.join(lines)


def _line(found):
    """Return the means of our figures, and of how many seeds they are not."""
    kept = _on_track(found)
    ours = (' / '.join(f'{found[quantity][kept].mean():.2g}' for quantity in QUANTITIES)
            if kept.any() else 'diverges')
    if 0 < kept.sum() < len(SEEDS):
        ours += f' (without {(~kept).sum()} of {len(SEEDS)} seeds, with which it loses track)'
    return ours


def _spread(values):
    return f'{values.std():.1g}' if np.isfinite(values).all() else '-'
