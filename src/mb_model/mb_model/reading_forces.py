"""Forces of a mechanism file, each on one coordinate."""

from mb_model.description import Force


def read_force(entries, name, value, coordinates):
    """Return the Force of an entry of `forces`; coordinates: all names of q."""
    path = f'forces.{name}'
    coordinate = entries.one_of(f'{path}.coordinate', value['coordinate'], coordinates,
                                'coordinate')
    if value['kind'] == 'constant':
        return Force(name, coordinate, constant=value['force'])
    if value['kind'] == 'spring_damper':
        return Force(name, coordinate, stiffness=value['stiffness'], rest=value['rest'],
                     viscous=value['damping'])
    coulomb = value['coulomb']
    static = value.get('static', coulomb)
    if static < coulomb:
        entries.fail(f'{path}.static', f'{static:g} must be >= {coulomb:g}')
    if static > 0.0 and 'transition_velocity' not in value:
        entries.fail(f'{path}.transition_velocity', 'missing: below it friction fades out')
    return Force(name, coordinate, viscous=value['viscous'], coulomb=coulomb, static=static,
                 transition_velocity=value.get('transition_velocity', 1.0))
