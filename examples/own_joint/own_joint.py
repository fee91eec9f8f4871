"""Use a kind of joint that the file beside this one adds, in a mechanism of its own."""

import matplotlib.pyplot as plt

from mb_model import Mechanism, simulate

BOB = {'mass': 0.2, 'centre_of_gravity': [0.0, 0.0, -0.1], 'inertia': [1e-3, 1e-3, 1e-4],
       'points': {'top': [0.0, 0.0, 0.0], 'end': [0.0, 0.0, -0.2]}}

figure, axes = plt.subplots(figsize=(7, 4), layout='constrained')
for stiffness in (0.1, 1.0):
    machine = Mechanism({
        'name': 'whip', 'dimension': 3, 'bodies': {'upper': BOB, 'lower': BOB},
        'joints': {
            'root': {'kind': 'notch', 'bodies': ['ground', 'upper'], 'axis': [0.0, 1.0, 0.0],
                     'at': [[0.0, 0.0, 0.0], 'top'], 'stiffness': stiffness, 'damping': 0.01},
            'knee': {'kind': 'notch', 'bodies': ['upper', 'lower'], 'axis': [0.0, 1.0, 0.0],
                     'at': ['end', 'top'], 'stiffness': stiffness, 'damping': 0.01}},
        'coordinates': {'bend': {'kind': 'angle', 'joint': 'root'},
                        'fold': {'kind': 'angle', 'joint': 'knee'}},
        'independent': ['bend', 'fold'], 'start': {'bend': 1.0, 'fold': 0.0}}, 'whip')
    run = simulate(machine, duration=3.0, dt=2e-3)
    print(run)
    for name, line in (('bend', '-'), ('fold', ':')):
        axes.plot(run.t, run.values(name), line, label=f'{name}, {stiffness:g} N m/rad')
axes.set(xlabel='time [s]', ylabel='angle [rad]')
axes.legend(ncols=2)
figure.savefig('own_joint.png', dpi=100)
