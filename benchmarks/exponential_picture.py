"""The bend of the stiff spring by every integrator beside the reference: Fig. 6."""

import matplotlib
import numpy as np

from benchmarks.figures import RESULTS

matplotlib.use('Agg')

import matplotlib.pyplot as plt

SHOWN = 0.1                              # s: the vibration has 123 Hz
LIMIT = 0.06                             # rad, twice the bend of the start
COLOURS = {'forward_euler': '0.75', 'augmented_euler': '0.55', 'exponential_1': '#e08e0b',
           'exponential_2': '#4c9a52', 'exponential_3': '#8a5fb0', 'exponential_4': '#c0504d',
           'exponential': '#1b6ca8'}


def draw_bends(bends, truth, dt):
    """Write results/exponential.png.

    bends: {(step [s], integrator): bend [rad] from the start on, up to where it blows up};
    truth: the reference's, at steps of dt [s].
    """
    steps = sorted({step for step, _ in bends})
    figure, axes = plt.subplots(len(steps), 1, figsize=(9, 9), sharex=True, sharey=True,
                                layout='constrained')
    count = round(SHOWN / dt) + 1
    for axis, step, letter in zip(axes, steps, 'abc', strict=True):
        axis.plot(dt * np.arange(count), truth[:count], color='black', linewidth=3, alpha=0.25,
                  label='reference')
        for integrator, colour in COLOURS.items():
            bend = bends[step, integrator][:round(SHOWN / step) + 1]
            axis.plot(step * np.arange(len(bend)), np.clip(bend, -2 * LIMIT, 2 * LIMIT),
                      color=colour, linewidth=1, marker='.', markersize=4,
                      label=integrator.replace('_', ' '))
        axis.set_title(f'{letter}) {1e3 * step:g} ms', fontsize=10, loc='left')
        axis.set_ylabel('bend [rad]')
        axis.grid(alpha=0.25)
        axis.set_axisbelow(True)
    axes[0].set_ylim(-LIMIT, LIMIT)
    axes[0].legend(ncols=4, fontsize=8, frameon=False, loc='lower right', bbox_to_anchor=(1, 1))
    axes[-1].set_xlabel('time [s]')
    RESULTS.mkdir(exist_ok=True)
    figure.savefig(RESULTS / 'exponential.png', dpi=130)
    plt.close(figure)
