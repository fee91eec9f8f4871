"""Plot what interests you, draw a machine in space, and make a page on which it turns."""

import matplotlib.pyplot as plt
import numpy as np

from mb_model import animate, draw, load_mechanism, simulate

stewart = load_mechanism('stewart')
run = simulate(stewart, duration=1.0, dt=2e-3)
print(run)

animate(run, 'plot_in_space.html')              # .gif and .mp4 as well; turn it with the mouse
draw(stewart, run.q[0], 'plot_in_space.png')

# `t`, `z`, `zd`, `q`, ... are arrays: matplotlib does the rest.
figure, axes = plt.subplots(figsize=(7, 4), layout='constrained')
for name in stewart.independent[:3]:
    axes.plot(run.t, run.values(name), label=name)
axes.set(xlabel='time [s]', ylabel='place of the platform [m]')
axes.legend()
figure.savefig('plot_in_space_curves.png', dpi=100)
print(f'the platform falls {np.ptp(run.values("place.z")):.3f} m')
