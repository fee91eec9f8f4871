"""Tables and picture of the review's benchmark, beside its JSON."""

import matplotlib
import numpy as np

from benchmarks.figures import RESULTS

matplotlib.use('Agg')

import matplotlib.pyplot as plt

COLOURS = {'crank_encoder': '#1b6ca8', 'crank_gyro': '#e08e0b', 'coupler_gyro': '#4c9a52'}
TITLES = ('Position RMSE', 'Position RMSE after 2 s', 'Velocity RMSE', 'Acceleration RMSE')


def write_tables(results, times, names):
    """Write results/review.md: mean and spread over the seeds of every case."""
    lines = ['# Filters in the benchmark of Rodriguez et al. 2023', '',
             'Mean over noise seeds, and standard deviation between them.']
    for mechanism, dt in sorted({(case.mechanism, case.dt) for case, _ in results}):
        lines += ['', f'## {mechanism}, steps of {1e3 * dt:g} ms', '',
                  f'| filter | sensors | rate | {" | ".join(names)} |',
                  f'| --- | --- | --- |{" --- |" * len(names)}']
        for case, rows in results:
            if (case.mechanism, case.dt) == (mechanism, dt):
                figures = ' | '.join(_figure(column) for column in rows.T)
                lines.append(f'| {case.filter} | {case.sensors} | {_rate(case)} | {figures} |')
    lines += ['', '## Time of a step, crank encoder', '', '| filter | us |', '| --- | --- |']
    lines += [f'| {name} | {1e6 * time:.1f} |' for name, time in times.items()]
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / 'review.md').write_text('\n'.join(lines) + '\n')


def _figure(values):
    """Return mean and standard deviation, or how often the filter diverged."""
    diverged = int(np.isinf(values).sum())
    if diverged:
        return f'diverges with {diverged} of {len(values)}'
    return f'{values.mean():.3g} +- {values.std():.1g}'


def _rate(case):
    """Return the rate of the sensors, if it is not that of the mechanism file."""
    sensors = case.overrides.get('sensors')
    return f'{next(iter(sensors.values()))["rate"]:.0f} Hz' if sensors else 'as described'


def write_picture(results, times, names, units):
    """Write results/review.png like Fig. 6 of the review: errors on logarithmic scales, times."""
    filters = list(dict.fromkeys(case.filter for case, _ in results))
    figure, axes = plt.subplots(len(names) + 1, 1, figsize=(9, 13), sharex=True,
                                layout='constrained')
    places = np.arange(len(filters))
    for k, axis in enumerate(axes[:-1]):
        for j, (sensor, colour) in enumerate(COLOURS.items()):
            found = {case.filter: rows[:, k] for case, rows in results if case.sensors == sensor}
            values = np.array([found[name].mean() for name in filters])
            spread = np.array([found[name].std() if np.isfinite(found[name]).all() else 0.0
                               for name in filters])
            finite = np.isfinite(values)
            axis.bar(places[finite] + 0.27 * (j - 1), values[finite], 0.25, color=colour,
                     yerr=spread[finite], ecolor='0.3', label=sensor.replace('_', ' '))
        axis.set_yscale('log')
        axis.set_title(TITLES[k], fontsize=10, loc='left')
        axis.set_ylabel(units[k].replace('^2', '$^2$'))
        axis.grid(axis='y', which='both', alpha=0.25)
        axis.set_axisbelow(True)
    axes[0].legend(ncols=3, fontsize=8, frameon=False, loc='lower right', bbox_to_anchor=(1, 1))
    axes[-1].bar(places, [1e6 * times[name] for name in filters], 0.6, color='0.45')
    axes[-1].set_title('Time of a step, crank encoder', fontsize=10, loc='left')
    axes[-1].set_ylabel('us')
    axes[-1].grid(axis='y', alpha=0.25)
    axes[-1].set_xticks(places, filters, rotation=30, ha='right')
    figure.savefig(RESULTS / 'review.png', dpi=130)
    plt.close(figure)
