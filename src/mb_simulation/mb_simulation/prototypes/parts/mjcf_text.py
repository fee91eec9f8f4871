"""Attributes of MJCF elements."""

CLOSURE_TIME_CONSTANT = 5.0      # in integration steps: shorter ones ring in the accelerations
CLOSURE_IMPEDANCE = 0.9999       # the largest that MuJoCo accepts
FRICTION_TIME_CONSTANT = 2.0     # in integration steps: the shortest that MuJoCo accepts


def text(*numbers):
    """Return numbers as an attribute, without loss."""
    return ' '.join(repr(float(number)) for number in numbers)


def stiffness(step, time=CLOSURE_TIME_CONSTANT, solref='solref', solimp='solimp'):
    """Return how firm a constraint is, as attributes."""
    return {solref: text(time * step, 1.0),
            solimp: text(CLOSURE_IMPEDANCE, CLOSURE_IMPEDANCE, 1e-3)}
