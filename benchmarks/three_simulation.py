"""The three-simulation method on the four-bar linkage, encoder at 200 Hz, mean over noise seeds.

Both prototypes: the multibody model itself, as in Rodriguez et al. 2023, and MuJoCo.  The published
figures are those of the multibody prototype.
"""

from math import pi

from mb_bringup.prototypes import make_prototype
from mb_model.simulation import Run
import numpy as np

from benchmarks.figures import Figure
from mb_estimators import available_filters, three_simulation
from mb_model import apply_model_errors, load_mechanism, simulate

DURATION, STEP = 10.0, 5e-3             # s
PROTOTYPE_STEP = 1e-3                   # s, inside MuJoCo
SEEDS = range(20)
ERRORS = {'gravity': -1.0, 'z0': pi / 16}
PUBLISHED = {'error_ekf': .0053, 'dekf': .0053}         # rad, position after 2 s
TARGETS = {'multibody': (.0045, .0062), 'mujoco': .0070}


def measure():
    """Return the position error after 2 s of every filter and prototype, and the model's."""
    mechanism = load_mechanism('four_bar')
    truths = {'multibody': simulate(mechanism, DURATION, STEP), 'mujoco': mujoco_run(mechanism)}
    model = simulate(apply_model_errors(mechanism, ERRORS), DURATION, STEP)
    figures = []
    for engine, truth in truths.items():
        for name in available_filters():
            results = [three_simulation(mechanism, name, ['crank_encoder'], ERRORS, DURATION, STEP,
                                        seed, prototype=truth, model=model) for seed in SEEDS]
            figures += [
                Figure(f'{engine}: {name}, position RMSE after 2 s',
                       np.mean([r.position_rmse_after_2s for r in results]), 'rad',
                       TARGETS[engine], peer='paper', peer_value=PUBLISHED.get(name)),
                Figure(f'{engine}: {name}, velocity RMSE',
                       np.mean([r.velocity_rmse for r in results]), 'rad/s'),
                Figure(f'{engine}: {name}, acceleration RMSE',
                       np.mean([r.acceleration_rmse for r in results]), 'rad/s^2')]
        figures.append(Figure(f'{engine}: uncorrected model, position RMSE',
                              results[0].model.position_rmse[0], 'rad', 0.3, at_least=True))
    return figures


def mujoco_run(mechanism):
    """Return the Run of the MuJoCo prototype."""
    prototype = make_prototype('mujoco', mechanism, STEP, PROTOTYPE_STEP)
    t = np.arange(round(DURATION / STEP) + 1) * STEP
    states = [prototype.state]
    for _ in t[1:]:
        prototype.advance()
        states.append(prototype.state)
    return Run(t, *(np.array([getattr(state, name) for state in states])
                    for name in ('z', 'zd', 'zdd', 'q', 'qd', 'qdd')))
