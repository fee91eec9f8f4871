"""Weigh the load of a hydraulic crane while it works, by one length and two pressures."""

import matplotlib.pyplot as plt
import numpy as np

from mb_contact import PayloadExperiment
from mb_model import WorkCycle, load_mechanism

crane = load_mechanism('crane').replace(parameters={'load': 80.0})
# Commands to the valve, -1 to 1, each held until the next: rest, lift, rest, lower, rest.
cycle = WorkCycle(crane.circuit, [0.0, 0.5, 2.5, 3.0, 5.0, 5.5],
                  np.transpose([[0.0, 0.3, 0.0, -0.3, 0.0, 0.0]]))

# The model believes that nothing hangs on the hook.
experiment = PayloadExperiment(crane, ['cylinder_encoder', 'pressure1', 'pressure2'], cycle)
result = experiment.run(seed=1)
mass, deviation = result.payload.mass[:, 0], result.payload.deviation[:, 0]
print('time [s]   load [kg]')
for t in (1.5, 2.5, 4.0, 5.0):
    k = np.searchsorted(result.t, t)
    print(f'{t:8.1f}   {mass[k]:6.2f} +/- {2 * deviation[k]:.2f}')

figure, axes = plt.subplots(figsize=(7, 4), layout='constrained')
axes.fill_between(result.t, mass - 2 * deviation, mass + 2 * deviation, alpha=0.3, label='95 %')
axes.plot(result.t, mass, label='estimate')
axes.plot(result.t, result.true_mass, 'k--', label='truth')
axes.set(xlabel='time [s]', ylabel='load [kg]', ylim=(60, 100))
axes.legend()
figure.savefig('weigh_a_load.png', dpi=100)
