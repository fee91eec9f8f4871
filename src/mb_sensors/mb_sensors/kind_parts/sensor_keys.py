"""Keys of sensors in mechanism files that several kinds take, as parts of a JSON schema."""


def number(description: str, **more) -> dict:
    """Return the schema of a number or expression; more: default, bounds."""
    return {'type': ['number', 'string'], 'title': 'a number', 'description': description, **more}


def axes(known: str, description: str) -> dict:
    """Return the schema of a list of axes out of known ones, by default x and y."""
    return {'type': 'array', 'title': f'some of {", ".join(known)}', 'items': {'enum': [*known]},
            'minItems': 1, 'uniqueItems': True, 'default': ['x', 'y'], 'description': description}


def pair(of: dict, title: str, description: str) -> dict:
    """Return the schema of a list of two different things."""
    return {'type': 'array', 'title': title, 'items': of, 'minItems': 2, 'maxItems': 2,
            'uniqueItems': True, 'description': description}


BODY = {'type': 'string', 'title': 'the name of a body', 'description': 'Body that it sits on.'}
AT = {'type': ['string', 'array'], 'title': 'a point of the body, or a place [x, y] in its frame',
      'items': number('Coordinate in the frame of the body [m].'), 'minItems': 2, 'maxItems': 2,
      'description': 'Where it sits on the body, whose frame has its x axis from the first point '
                     'to the second [m].'}
PLACE = {'type': ['string', 'object'],
         'title': 'a point of the mechanism, or a place {body: name, at: [x, y]}',
         'properties': {'body': BODY, 'at': AT}, 'required': ['body', 'at'],
         'additionalProperties': False, 'description': 'The place that it observes.'}
