"""Keys of sensors in mechanism files that several kinds take, as parts of a JSON schema."""


def number(description: str, **more) -> dict:
    """Return the schema of a number or expression; more: default, bounds."""
    return {'type': ['number', 'string'], 'title': 'a number', 'description': description, **more}


def axes(known: str, description: str, default: str = 'xy') -> dict:
    """Return the schema of a list of axes out of known ones."""
    return {'type': 'array', 'title': f'some of {", ".join(known)}', 'items': {'enum': [*known]},
            'minItems': 1, 'uniqueItems': True, 'default': [*default], 'description': description}


def axes_in_space() -> dict:
    """Return the schema of a list of axes out of x, y, z, by default all."""
    return axes('xyz', 'Axes along which it measures, a channel each.', 'xyz')


def triple(description: str, **more) -> dict:
    """Return the schema of three numbers or expressions; more: default."""
    return {'type': 'array', 'title': 'three numbers', 'items': number(description), 'minItems': 3,
            'maxItems': 3, 'description': description, **more}


def pair(of: dict, title: str, description: str) -> dict:
    """Return the schema of a list of two different things."""
    return {'type': 'array', 'title': title, 'items': of, 'minItems': 2, 'maxItems': 2,
            'uniqueItems': True, 'description': description}


TURNS: dict[str, dict] = {       # of encoders of angles
    'counts_turns': {
        'type': ['boolean', 'null'], 'title': 'true or false', 'default': None,
        'description': 'Whether readings count whole turns, as of a multi-turn encoder, a counter, '
                       'or a JointState of a continuous joint; false: they know the angle within '
                       'one turn. Left out: the first reading beyond a turn and a half shows that '
                       'they do.'},
    'limits': {
        'type': ['array', 'null'], 'title': 'two numbers', 'items': number('An angle [rad].'),
        'minItems': 2, 'maxItems': 2, 'default': None,
        'description': 'Least and greatest angle that the machine allows; at the start they choose '
                       'the turn of an encoder that counts none [rad].'}}
BODY = {'type': 'string', 'title': 'the name of a body', 'description': 'Body that it sits on.'}
AT = {'type': ['string', 'array'], 'title': 'a point of the body, or a place [x, y] in its frame',
      'items': number('Coordinate in the frame of the body [m].'), 'minItems': 2, 'maxItems': 2,
      'description': 'Where it sits on the body, whose frame has its x axis from the first point '
                     'to the second [m].'}
PLACE = {'type': ['string', 'object'],
         'title': 'a point of the mechanism, or a place {body: name, at: [x, y]}',
         'properties': {'body': BODY, 'at': AT}, 'required': ['body', 'at'],
         'additionalProperties': False, 'description': 'The place that it observes.'}

# Of mechanisms in space.
AT_IN_SPACE = {
    'type': ['string', 'array'], 'title': 'a point of the body, or a place [x, y, z] in its frame',
    'items': number('Coordinate in the frame of the body [m].'), 'minItems': 3, 'maxItems': 3,
    'description': 'Where it sits on the body [m].'}
PLACE_IN_SPACE = {
    'type': 'object', 'title': 'a place {body: name, at: point or [x, y, z]}',
    'properties': {'body': BODY, 'at': AT_IN_SPACE}, 'required': ['body', 'at'],
    'additionalProperties': False,
    'description': 'The place that it observes, on a body or on the ground.'}
RPY = triple("Roll, pitch, yaw of the sensor's axes in the frame of the body (REP-103) [rad].",
             default=[0.0, 0.0, 0.0])
ANGLE = {'type': 'string', 'title': 'the name of a coordinate',
         'description': 'Coordinate that it measures, an angle.'}
LENGTH = {'type': 'string', 'title': 'the name of a coordinate',
          'description': 'Coordinate that it measures, a length.'}
