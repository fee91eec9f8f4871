"""Put a factor graph together: the likeliest motion, by the laws of motion and six camera views."""

import matplotlib.pyplot as plt
import numpy as np

from mb_estimators import FactorGraph
from mb_model import load_mechanism, simulate

machine = load_mechanism('four_bar_fg')
dt, steps = 5e-3, 40
truth = simulate(machine, steps * dt, dt)

graph = FactorGraph(machine)
for k in range(steps + 1):
    graph.add_start(k)                              # where the search begins
    graph.positions(k)                              # the mechanism closes: must hold
    graph.velocities(k)
    graph.dynamics(k, deviation=1e-3)               # rad/s^2, m/s^2
for k in range(steps):
    graph.trapezoidal(k, k + 1, dt, deviation=1e-5)

random = np.random.default_rng(1)
views = range(0, steps + 1, 8)
P2 = [machine.coordinates.index(name) for name in ('P2.x', 'P2.y')]
seen = truth.q[views][:, P2] + 5e-3 * random.normal(size=(len(views), 2))       # a camera sees P2
for k, place in zip(views, seen, strict=True):
    for axis, value in zip('xy', place, strict=True):
        graph.coordinate(k, f'P2.{axis}', value, deviation=5e-3)

nodes = graph.solve()
found = np.array([nodes[k]['q'][P2] for k in range(steps + 1)])
deviations = np.array([graph.deviations(k)['q'][P2] for k in range(steps + 1)])
error = 1e3 * (found - truth.q[:, P2])
print(f'largest error {np.abs(error).max():.2f} mm, expected {1e3 * deviations.max():.2f} mm; '
      f'of the camera {1e3 * np.abs(seen - truth.q[views][:, P2]).max():.2f} mm')

figure, axes = plt.subplots(figsize=(7, 4), layout='constrained')
axes.fill_between(truth.t, -2e3 * deviations[:, 0], 2e3 * deviations[:, 0], alpha=0.3, label='95 %')
axes.plot(truth.t, error[:, 0], label='error of the graph')
axes.plot(truth.t[views], 1e3 * (seen - truth.q[views][:, P2])[:, 0], 'kx', label='camera')
axes.set(xlabel='time [s]', ylabel='P2.x [mm]')
axes.legend()
figure.savefig('factor_graph.png', dpi=100)
