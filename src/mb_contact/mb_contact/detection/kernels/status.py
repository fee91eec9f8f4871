"""The status of a state, as a number of kernels and in words."""

JUDGED = 0
SETTLING = 1
UNCERTAIN = 2
STARTING = 3
LATE = 4
NOT_FINITE = 5
NO_POSITION = 6


def reasons(settings, turns=False):
    """Return {status: why a state did not give all forces, '' if it did}.

    turns: whether orientations are degrees of freedom.
    """
    return {
        JUDGED: '',
        SETTLING: f'less than {settings.settling_time:g} s after the first state, or after '
                  'the first one after a gap (settling_time)',
        UNCERTAIN: 'the state is too uncertain for a method: its force deviates by more than '
                   f'{settings.largest_deviation:g} of a threshold (largest_deviation)',
        STARTING: 'the first state, or the first after a gap of more than '
                  f'{settings.longest_gap:g} s',
        LATE: 'the stamp is not after the last one',
        NOT_FINITE: 'the state, its covariance or a torque is not usable',
        NO_POSITION: 'no position of the mechanism fits the state (orientations are in q: their '
                     'z is 0)' if turns else 'no position of the mechanism fits the state',
    }
