"""Detect that a robot touches something, from its encoders and one IMU."""

import matplotlib.pyplot as plt

from mb_contact import DetectionSettings
from mb_model import load_mechanism
from mb_simulation.collisions import random_collisions
from mb_simulation.contact_experiment import ContactExperiment, simulate_robot
from mb_simulation.control import ControlSettings

# A parallel robot moves, and an obstacle of 40 kN/m gets into the way of its platform.
robot = load_mechanism('three_rrr')
collision, = random_collisions(robot, count=1, seed=8, kinds=('platform',))
run = simulate_robot(robot, collision.trajectory, collision.time + 0.03, collision.obstacles,
                     collision.act, ControlSettings(reaction='none'))

experiment = ContactExperiment(run)                     # readings with noise, at 1 kHz
settings = DetectionSettings(method='both')
found = experiment.detect(experiment.observe(seed=1), settings)
touch = run.first_touch()
print(f'touched after {touch:.4f} s, detected {1e3 * found.delay(touch):.1f} ms later')

figure, axes = plt.subplots(figsize=(7, 4), layout='constrained')
axes.plot(run.t, run.external[:, 0], 'k--', label='truth')
for method, forces in found.track.force.items():
    axes.plot(found.known, forces[:, 0], label=method)
axes.axvline(found.times[found.times >= touch][0], color='C3', linewidth=1, label='detected')
axes.set(xlabel='time [s]', ylabel='force on the platform along x [N]',
         xlim=(touch - 0.03, run.t[-1]))
axes.legend()
figure.savefig('detect_a_contact.png', dpi=100)
