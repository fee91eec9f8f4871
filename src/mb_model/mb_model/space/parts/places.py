"""Two places on two bodies, as entries of files name them."""

from typing import Any

from mb_model.space.body import Place

TWO_PLACES = {'$ref': '#/$defs/two_places',
              'description': 'The place on each, in its frame [m] or by the name of a point.'}


def read_places(entries: Any, path: str, value: Any,
                bodies: Any) -> tuple[tuple[str, ...], tuple[Place, ...]]:
    """Return (bodies, places) of an entry's `bodies` and `at`, see the schema of joints."""
    names = entries.names(f'{path}.bodies', value['bodies'], bodies, 'body')
    at = value['at']
    pair = (at, at) if isinstance(at, str) else at
    places = []
    for k, (name, one) in enumerate(zip(names, pair, strict=True)):
        if isinstance(one, str):
            entries.one_of(f'{path}.at[{k}]', one, bodies[name].points, f'point of {name}')
        places.append(bodies[name].place(one))
    return names, tuple(places)
