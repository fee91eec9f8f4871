"""Load a mechanism, ask what it is like, change it, draw it."""

from mb_model import draw, load_mechanism

four_bar = load_mechanism('four_bar')           # or the path of a YAML file of your own
print(four_bar)

# z: degrees of freedom, here the crank's angle [rad]; q: all coordinates; zd, qd: their rates.
z, zd = [1.2], [2.0]
q = four_bar.assemble(z)
qd = four_bar.velocity(q, zd)
zdd = four_bar.forward_dynamics(z, zd)
print('\ncoordinate        value     rate')
for name, value, rate in zip(four_bar.coordinates, q, qd, strict=True):
    print(f'{name:12} {value:10.4f} {rate:8.4f}')
print(f'\nthe crank accelerates with {zdd[0]:.3f} rad/s^2')

# Exact derivatives of the accelerations by positions and velocities.
by_position, by_velocity = four_bar.linearise(z, zd)
print(f'its derivatives: {by_position[0, 0]:.3f} 1/s^2, {by_velocity[0, 0]:.3f} 1/s')

# A mechanism does not change; `replace` returns another one.
heavier = four_bar.replace(bodies={'coupler': {'mass': 20.0}}, gravity=[0.0, -1.62])
print(f'on the moon, with a heavier coupler: {heavier.forward_dynamics(z, zd)[0]:.3f} rad/s^2')

draw(four_bar, q, 'load.png')
