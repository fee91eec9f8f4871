"""Torques of every recording of the real double pendulum: true, causal, smoothed, and alarms."""

import matplotlib

from benchmarks.figures import RESULTS
from benchmarks.real_pulses import alarms_of

matplotlib.use('Agg')

import matplotlib.pyplot as plt

LIMIT = 0.95                            # N m
TRUE, CAUSAL, SMOOTHED, FALSE = 'black', '#e08e0b', '#1b6ca8', '#c0504d'


def draw(estimated):
    """Write results/real_double_pendulum.png of name -> Estimated; return its path."""
    figure, axes = plt.subplots(len(estimated), 2, figsize=(10, 1.15 * len(estimated) + 0.9),
                                sharex=True, sharey=True, squeeze=False, layout='constrained')
    for row, (name, e) in zip(axes, estimated.items(), strict=True):
        for joint, axis in enumerate(row):
            axis.plot(e.time, e.truth[:, joint], color=TRUE, linewidth=3, alpha=0.3, label='true')
            axis.plot(e.time, e.forces[:, joint], color=CAUSAL, linewidth=0.9, label='causal')
            axis.plot(e.time, e.smoothed[:, joint], color=SMOOTHED, linewidth=0.9,
                      label='smoothed')
            for first, last, false in alarms_of(e, joint):
                axis.plot(e.time[[first, last - 1]], [-0.88, -0.88], linewidth=4,
                          color=FALSE if false else '0.6', solid_capstyle='butt',
                          marker='v' if false else None)
            axis.axvline(e.time[-1], color='0.8', linewidth=0.8)
            axis.set_ylim(-LIMIT, LIMIT)
            axis.grid(alpha=0.25)
        row[0].set_ylabel(name.replace('experiment0', '').replace('/', ' '), fontsize=8)
    for axis, title in zip(axes[0], ('shoulder [N m]', 'elbow [N m]'), strict=True):
        axis.set_title(title, fontsize=10, loc='left')
    for axis in axes[-1]:
        axis.set_xlabel('time [s]')
    lines = axes[0, 0].get_legend_handles_labels()
    shown = dict(zip(lines[1], lines[0], strict=True))
    shown['detected'] = plt.Line2D([], [], color='0.6', linewidth=4)
    shown['detected falsely'] = plt.Line2D([], [], color=FALSE, linewidth=4, marker='v')
    figure.get_layout_engine().set(rect=(0.0, 0.0, 1.0, 0.96))
    figure.legend(shown.values(), shown.keys(), loc='upper center', ncols=len(shown),
                  fontsize=8, frameon=False)
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / 'real_double_pendulum.png'
    figure.savefig(path, dpi=110)
    plt.close(figure)
    return path
