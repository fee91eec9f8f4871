"""The status of an instant, as a number of kernels and in words."""

UPDATING = 0
LATE = 1
NOT_FINITE = 2
NO_POSITION = 3
DISTRUSTED = 4
STANDING = 5
SETTLING = 6
UNDETERMINED = 7
UNCERTAIN = 8
SPIKE = 9
CONTRADICTED = 10         # counts as UPDATING does

CONTRADICTION = ('the equations of motion contradict each other by more than noise, friction and '
                 'model explain; the deviation covers what each is without')

NO_EVENT = 0
PICKED_UP = 1
RELEASED = 2
EVENTS = {NO_EVENT: '', PICKED_UP: 'picked up', RELEASED: 'released'}


def reasons(settings, circuit):
    """Return {(status, cylinder): why an instant did not count}; cylinder: of STANDING, else 0."""
    words = {
        UPDATING: '',
        LATE: 'the stamp is not after the last one',
        NOT_FINITE: 'the estimated state or its covariance is not usable',
        NO_POSITION: 'no position of the mechanism fits the estimated state',
        SETTLING: f'has moved for less than {settings.settling_time:g} s',
        UNDETERMINED: 'the forces do not determine the masses here',
        UNCERTAIN: 'the estimated state gives a mass less well than to '
                   f'{settings.largest_deviation:g} kg',
        SPIKE: 'the mass of this instant is far off',
        CONTRADICTED: CONTRADICTION,
    }
    found = {(status, 0): text for status, text in words.items()}
    for k, cylinder in enumerate(circuit.cylinders if circuit else ()):
        found[STANDING, k] = (f'{cylinder} stands still: not surely faster than its transition '
                              f'velocity of {circuit.transition_velocity[k]:g} m/s')
    return found
