"""The report of an estimate without a truth: do its readings bear out what it claims?"""

from collections.abc import Sequence

import numpy as np

from mb_estimators import agreement
from mb_evaluation.accuracy.errors import SETTLING_TIME, lost_line
from mb_evaluation.accuracy.innovations import figures_of_all
from mb_evaluation.recordings.contents import origin_line
from mb_evaluation.recordings.estimate_log import EstimateLog
from mb_evaluation.recordings.quantity import (
    COMMAND,
    KNOWN,
    MOTION,
    PARAMETER,
    PRESSURE,
    SPOOL,
    UNKNOWN,
    Quantity,
)
from mb_evaluation.report_kinds.estimate_panels import fit_panels, panels_of, sections_of
from mb_evaluation.reports.report import (
    Drawn,
    Figures,
    Picture,
    ReportKind,
    Table,
    Tile,
    number_text,
)
from mb_evaluation.reports.report_file import finite
from mb_evaluation.reports.run_figures import machine

FORMAT = 2              # raised when a key changes its meaning
HEADINGS = ('estimate', 'least', 'greatest', 'at the end', '95 %: ±, median', '± at the end')
MOST = 4                # panels of a kind in the picture, half of all
DRAWN = MOTION[0], UNKNOWN, KNOWN, PRESSURE, SPOOL, COMMAND, PARAMETER      # kinds, in this order
FEWEST = 10             # readings of a sensor that say something
LEFT_OUT = 0.01         # share of the readings of a sensor that is worth a mention
TOO_WIDE = 0.2          # NIS per channel, below which intervals are far wider than need be
JUDGED = ('The verdict says whether readings fit what the filter claims. They do not show an error '
          'that all of them share, as a truth would.')


def estimate_figures(log: EstimateLog, bag: str) -> Figures:
    """Return the figures of an EstimateLog of a bag, a path."""
    mean, inside = agreement(log.nis, log.nis_sizes) if log.nis else (None, None)
    counts = log.counts
    return {
        'format': FORMAT, 'kind': 'estimate', 'bag': bag, 'mechanism': log.mechanism.name,
        'estimator': log.name, 'sensors': [one.name for one in log.sensors], 'source': log.source,
        'origin': log.origin, 'start': log.start,
        'duration': 1e-9 * int(log.track.stamps[-1] - log.origin),
        'estimates': len(log.track), 'has_truth': log.truth is not None,
        'quantities': [_quantity(one) for one in log.estimates],
        'nis': {'mean_per_channel': mean, 'inside_95': inside},
        'consistency': figures_of_all(log.innovations, log.start),
        'readings': None if counts is None else {
            'used': counts.used, 'rejected': counts.rejected, 'late': counts.late,
            'missing': log.missing},
        'left_out': {name: list(counted) for name, counted in log.left_out.items()},
        'estimate_lost': log.lost.figures(log.start), 'problem': log.problem,
        'undetermined': log.reservation, 'absent': _absent(log), 'damage': list(log.damage),
        'remedies': [], 'machine': machine()}


def _quantity(one: Quantity):
    """Return the figures of a Quantity; None for what is not known."""
    known, half = one.values[np.isfinite(one.values)], one.half[np.isfinite(one.half)]
    least, greatest = (known.min(), known.max()) if known.size else (np.nan, np.nan)
    return finite({
        'label': one.label, 'name': one.name, 'kind': one.kind, 'least': least,
        'greatest': greatest, 'last': one.values[-1],
        'half': np.median(half) if half.size else np.nan, 'half_at_end': one.half[-1]})


def _absent(log: EstimateLog):
    """Return what a report could show and the bag does not give, in words."""
    texts = list(log.absent)
    quantities = log.estimates
    texts += [f'intervals of the {kind}: {log.name} claims none' for kind in MOTION
              if not any(one.has_interval for one in quantities if one.kind == kind)]
    if not log.has_forces:
        texts.append(f'unknown forces: {log.name} gives none, as error_ekf_fe and others do')
    if not log.inputs.quantities() and not log.absent:
        texts.append('known forces: the parameter known_forces names no topic')
    if log.counts is None:
        texts.append('innovations and counts of readings: no status beside the recorded states')
    return texts


def unjudged(figures: Figures) -> str:
    """Return why nothing can be judged, in words; empty where it can."""
    if not figures['consistency']:
        return ('the bag has no innovations to judge the estimate by (estimator/status), and no '
                'truth')
    if all(one['count'] - one['left_out'] < FEWEST for one in figures['consistency'].values()):
        return f'less than {FEWEST} readings of each sensor after the first {SETTLING_TIME:g} s'
    return ''


def objections(figures: Figures) -> list[str]:
    """Return objections to the claims of the filter, in words; empty if there are none."""
    consistency = figures['consistency']
    texts = [figures['problem']] if figures['problem'] else []
    if figures['estimate_lost']['why']:
        texts.append(lost_line(figures['estimate_lost']))
    for name, (left_out, came) in figures['left_out'].items():
        if left_out == came or left_out > LEFT_OUT * came:
            texts.append(f'{name}: {left_out} of {came} readings were left out')
    readings = figures['readings'] or {'used': 0}
    texts += [f'{count} readings beside {readings["used"]} that were used were {what}'
              for what, count in readings.items()
              if what in ('rejected', 'late') and count > LEFT_OUT * readings['used']]
    texts += [f'{name}: no reading of it was used' for name in figures['sensors']
              if name not in consistency and name not in figures['left_out'] and readings['used']]
    return texts + [one['verdict'] for one in consistency.values() if one['verdict']]


def too_wide(figures: Figures) -> list[str]:
    """Return the sensors whose innovations are far smaller than the filter claims, with their NIS.
    """
    return [f'{name}: NIS {one["nis"]:.2g}' for name, one in figures['consistency'].items()
            if one['count'] - one['left_out'] >= FEWEST and one['nis'] < TOO_WIDE]


def _passed(figures: Figures):
    """Return the verdict without objections."""
    wide = too_wide(figures)
    return 'innovations are no larger than the filter claims, and white' + (
        f'; intervals are wider than they need be ({", ".join(wide)})' if wide else '')


def _tables(figures: Figures):
    """Return the tables of what is estimated, of the sensors, and of what is to be done."""
    groups: dict[str, list] = {}
    for one in figures['quantities']:
        groups.setdefault(one['name'] if one['kind'] in MOTION else one['kind'], []).append(
            (one['label'], *(number_text(one[key]) for key in (
                'least', 'greatest', 'last', 'half', 'half_at_end'))))
    return [
        Table(HEADINGS, list(groups.values()), strong=3),
        Table(('sensor', 'readings', 'NIS', 'bound', 'averages', 'bound', 'consistent'),
              [[(name, str(one['count']), *(number_text(one[key], '.3g') for key in (
                  'nis', 'nis_bound', 'lasting', 'lasting_bound')),
                 'yes' if one['consistent'] else 'no')
                for name, one in figures['consistency'].items()]], words=(0, 6),
              heading='How the readings of each sensor fit',
              notes=['NIS: squares of innovations beside what the filter expects, 1 if consistent; '
                     'averages: the same of averages over time, which are 1 if innovations are '
                     'white.']),
        Table(('what for', 'command'), [figures['remedies']], words=(0, 1),
              heading='What to do')]


def _captions(figures: Figures):
    """Return lines on the estimates and the readings."""
    readings = figures['readings']
    first = 1e-9 * (figures['start'] - figures['origin'])
    lines = [f'{figures["estimates"]} estimates from {first:.4g} to {figures["duration"]:.4g} s, '
             f'{figures["source"]}', origin_line(figures['origin'])]
    if readings:
        lines.append('readings: ' + ', '.join(
            f'{what} {count}' for what, count in readings.items()))
    return lines


def remarks(figures: Figures) -> list[str]:
    """Return what is to be known of the estimate besides, in sentences."""
    return [*(text for text in (figures['undetermined'], *(
        one['remark'] for one in figures['consistency'].values())) if text), *figures['damage'],
        *(f'not there: {text}' for text in figures['absent'])]


def _tiles(figures: Figures):
    """Return the most important figures."""
    readings = figures['readings']
    tiles = [Tile(f'{one["label"]} at the end', number_text(one['last'], '.3g'),
                  '' if one['half_at_end'] is None else f'± {one["half_at_end"]:.2g} (95 %)')
             for one in figures['quantities'] if one['kind'] in (MOTION[0], UNKNOWN)][:MOST]
    tiles.append(Tile('NIS per channel', number_text(figures['nis']['mean_per_channel'], '.3g'),
                      '1 if consistent'))
    if readings:
        tiles.append(Tile('readings used', str(readings['used']), ', '.join(
            f'{readings[what]} {what}' for what in ('rejected', 'late', 'missing'))))
    return [*tiles, Tile('estimates', str(figures['estimates']),
                         f'until {figures["duration"]:.4g} s')]


def _drawn(log: EstimateLog, figures: Figures):
    """Return the panels of an EstimateLog: all on its page, the first of each kind in a picture."""
    panels = panels_of(log)
    stack = [panel for kind in DRAWN for panel in panels.get(kind, ())[:MOST]]
    return Drawn(sections_of(log), Picture(
        stack[:2 * MOST], beside=fit_panels(log), figures=_picture_rows(figures),
        remarks=objections(figures)))


def _picture_rows(figures: Figures) -> Sequence[Sequence[str]]:
    """Return the NIS of each sensor, as rows of the picture."""
    return [('1 if consistent', 'NIS', 'of averages'), *(
        (name, number_text(one['nis'], '.3g'), number_text(one['lasting'], '.3g'))
        for name, one in figures['consistency'].items())]


REPORT = ReportKind(
    'estimate',
    title=lambda figures: (f'{figures["mechanism"]}: {figures["estimator"]} with '
                           f'{", ".join(figures["sensors"]) or "sensors that are not known"}'),
    passed=_passed, objections=objections, unjudged=unjudged, tables=_tables, captions=_captions,
    remarks=remarks,
    introduction=lambda figures: [f'Bag `{figures["bag"]}`. {JUDGED}'], tiles=_tiles, draw=_drawn)
