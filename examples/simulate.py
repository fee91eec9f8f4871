"""Simulate a mechanism, look at its energy, plot the motion."""

from math import sin

from mb_model import load_mechanism, plot, simulate

slider_crank = load_mechanism('slider_crank')
print(slider_crank)


def torque(t, z, zd):
    """Drive the crank to and fro, against friction [N m]."""
    return [3.0 * sin(4.0 * t) - 0.5 * zd[0]]


run = simulate(slider_crank, duration=5.0, dt=1e-3, inputs=torque)
print(run)

energy = run.energy()
print(f'work of the drive    {energy.input_work[-1]:8.3f} J')
print(f'energy out of place  {energy.drift[-1]:8.1e} J')

# Forces that hold the bodies together, the path of a point, ...: columns of run.q and run.qd.
name = slider_crank.coordinates[0]
print(f'{name} moves from {run.values(name).min():.3f} to {run.values(name).max():.3f}')

run.save('simulate.npz')                # Run.load reads it; .save('bag') writes a rosbag2 bag
plot(run, 'simulate.png')
