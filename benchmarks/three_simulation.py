"""The three-simulation method on the four-bar linkage, encoder at 200 Hz, mean over noise seeds.

Both prototypes: the multibody model itself, as in Rodriguez et al. 2023, and MuJoCo.  The
toolbox's figures are of the multibody prototype.  Every filter runs in a process of its own.
"""

import numpy as np

from benchmarks.cases import DURATION, SEEDS, STEP, over_cases, wrong_gravity
from benchmarks.figures import Figure
from benchmarks.review_reference import toolbox
from mb_estimators import available_filters, judged, monte_carlo
from mb_model import Run, load_mechanism
from mb_simulation.prototypes import make_prototype

PROTOTYPE_STEP = 1e-3                   # s, inside MuJoCo
SENSOR = 'crank_encoder'
FIGURES = {'position RMSE after 2 s': ('position_rmse_after_2s', 'rad'),
           'velocity RMSE': ('velocity_rmse', 'rad/s'),
           'acceleration RMSE': ('acceleration_rmse', 'rad/s^2')}
TARGETS = {'multibody': (.0045, .0062), 'mujoco': .0070}       # rad, position after 2 s


def measure():
    """Return the errors of every filter with both prototypes, and the model's."""
    mechanism = load_mechanism('four_bar')
    names = available_filters(mechanism)
    figures = []
    for engine, truth in {'multibody': None, 'mujoco': mujoco_run(mechanism)}.items():
        experiment = wrong_gravity(SENSOR, mechanism, truth)
        found = over_cases(errors, [(experiment, name) for name in names])
        for (_, name), values in found.items():
            figures += filter_figures(engine, name, values)
        figures.append(Figure(f'{engine}: uncorrected model, position RMSE',
                              judged(experiment.t, experiment.model_track,
                                     experiment.true_track).position_rmse[0], 'rad', 0.3,
                              at_least=True))
    return figures


def errors(experiment, name):
    """Return the means of FIGURES over all seeds, of a filter by its name."""
    runs = monte_carlo(experiment, name, SEEDS, processes=1)
    return [np.mean(runs[figure]) for figure, _ in FIGURES.values()]


def filter_figures(engine, name, values):
    """Return the Figures of one filter, beside the toolbox's of the same prototype."""
    known = toolbox(name, SENSOR) if engine == 'multibody' else None
    figures = []
    for k, (text, (_, unit)) in enumerate(FIGURES.items()):
        figure = Figure(f'{engine}: {name}, {text}', values[k], unit,
                        TARGETS[engine] if k == 0 else None)
        if known:
            figure.peer, figure.peer_value = 'toolbox', known[k + 1]
        figures.append(figure)
    return figures


def mujoco_run(mechanism):
    """Return the Run of the MuJoCo prototype."""
    prototype = make_prototype('mujoco', mechanism, STEP, PROTOTYPE_STEP)
    t = np.arange(round(DURATION / STEP) + 1) * STEP
    states = [prototype.state]
    for _ in t[1:]:
        prototype.advance()
        states.append(prototype.state)
    return Run(mechanism, t, *(np.array([getattr(state, name) for state in states])
                               for name in ('z', 'zd', 'zdd', 'q', 'qd', 'qdd')),
               forces=np.zeros((len(t), mechanism.g)))
