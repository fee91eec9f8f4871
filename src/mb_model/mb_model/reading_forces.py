"""Forces of a mechanism file, each on one coordinate."""

from mb_model.description import Force

_KINDS = {'spring_damper': (('stiffness',), ('rest', 'damping')),
          'friction': ((), ('viscous', 'coulomb', 'static', 'transition_velocity')),
          'constant': (('force',), ())}


def read_force(entries, name, value, coordinates):
    """Return the Force of an entry of `forces`; coordinates: all names of q."""
    path = f'forces.{name}'
    entries.mapping(path, value, ('kind', 'coordinate'))
    kind = entries.one_of(f'{path}.kind', value['kind'], _KINDS, 'kind of force')
    required, optional = _KINDS[kind]
    entries.mapping(path, value, ('kind', 'coordinate', *required), optional)
    coordinate = entries.one_of(f'{path}.coordinate', value['coordinate'], coordinates,
                                'coordinate')

    def number(key, default=0.0, **bounds):
        return entries.number(f'{path}.{key}', value[key], **bounds) if key in value else default

    if kind == 'constant':
        return Force(name, coordinate, constant=number('force'))
    if kind == 'spring_damper':
        return Force(name, coordinate, stiffness=number('stiffness', at_least=0.0),
                     rest=number('rest'), viscous=number('damping', at_least=0.0))
    coulomb = number('coulomb', at_least=0.0)
    static = number('static', coulomb, at_least=coulomb)
    if static > 0.0 and 'transition_velocity' not in value:
        entries.fail(f'{path}.transition_velocity', 'missing: below it friction fades out')
    return Force(name, coordinate, viscous=number('viscous', at_least=0.0), coulomb=coulomb,
                 static=static, transition_velocity=number('transition_velocity', 1.0, above=0.0))
