"""The records of the payload estimator's kernels, and the status of an instant in words.

Factors are assumed to be 1 and may be wrong: of the friction of each cylinder, of the elastic
force of each mode of flexible bodies, then of the other forces that the mechanism without the
unknown masses needs.
"""

from typing import Any

from mb_model import Circuit
from mb_model.jit import INTEGER, REAL, RecordType, sizes
from mb_model.record import G, N
from mb_model.record.hydraulics import C, U, V

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


def reasons(settings: Any, circuit: Circuit | None) -> dict[tuple[int, int], str]:
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
    texts = {(status, 0): text for status, text in words.items()}
    for k, cylinder in enumerate(circuit.cylinders if circuit else ()):
        texts[STANDING, k] = (f'{cylinder} stands still: not surely faster than its transition '
                              f'velocity of {circuit.transition_velocity[k]:g} m/s')
    return texts


MASSES, MODES = sizes('masses modes')      # k, e
_FACTORS = C + MODES + 1
_STATES = 3 * G + V + U   # z, zd, zdd, p, U

INSTANT = RecordType(
    'mb_contact.payload.kernels.mass_filter_record.INSTANT', masses=[
    ('masses', INTEGER),                               # k
    ('factors', INTEGER),                              # f
    ('modes', INTEGER),                                # e, of flexible bodies
    ('unit_M', REAL, (MASSES, N, N)),                  # see payload.unknown_masses
    ('unit_Q', REAL, (MASSES, N)),
    ('value', REAL, (MASSES,)),                        # masses that the model has now [kg]
    ('start', REAL, (N,)),                             # position of the file
    ('mode', INTEGER, (MODES,)),                       # its row in q
    ('stiffness', REAL, (MODES,)),                     # and its own [N/m, N m/rad]
    ('left_out', INTEGER, (G,)),                       # 1: unknown forces act on it
    ('age', INTEGER),                                  # of the derivatives in work.A and B
], residual=[     # of the equations of motion at these masses, and its derivatives
    ('residual', REAL, (G,)),
    ('pull', REAL, (N,)),                              # of one kilogram of a mass, M qdd - Q
    ('by_mass', REAL, (G, MASSES)), ('by_factor', REAL, (G, _FACTORS)),
    ('by_state', REAL, (G, _STATES)),
    ('noise', REAL, (G, G)),                           # covariance of the residual
    ('factor', REAL, (G, G)),                          # its Cholesky factor
    ('moving', INTEGER, (C,)),                         # faster than its transition velocity
], white=[     # the same over the deviation of the noise: all of (g) of them count alike
    ('white_residual', REAL, (G,)),
    ('white_by_mass', REAL, (G, MASSES)), ('white_by_factor', REAL, (G, _FACTORS)),
], results=[     # of this instant alone
    ('raw', REAL, (MASSES,)),                          # masses [kg]
    ('covariance', REAL, (MASSES, MASSES)),            # of raw, by the noise
    ('slope', REAL, (MASSES, _FACTORS)),               # of raw, by factor [kg]
    ('band', REAL, (MASSES,)),                         # of raw without friction, by standing seals
    ('normal', REAL, (MASSES, MASSES)),
    ('column', REAL, (G,)), ('without', REAL, (MASSES,)),
])

MASS_FILTER = RecordType(
    'mb_contact.payload.kernels.mass_filter_record.MASS_FILTER', settings=[
    ('dt', REAL), ('time_constant', REAL), ('settling_time', REAL), ('correlation_time', REAL),
    ('longest_gap', REAL),                             # [s]
    ('largest_deviation', REAL), ('least_change', REAL),  # [kg]
    ('alarm', REAL),
    ('factor_deviation', REAL, (_FACTORS,)),
    ('length', INTEGER),                               # rows of a ring
], stream=[
    ('stamp', INTEGER),                                # of the last instant [ns]
    ('started', INTEGER),
    ('settled', REAL),                                 # how long everything has moved [s]
    ('elapsed', REAL),                                 # and counted, since the start or a change
], estimate=[
    ('known', INTEGER),                                # whether there is one to compare with
    ('mass', REAL, (MASSES,)), ('deviation', REAL, (MASSES,)),  # [kg]
    ('spread', REAL, (MASSES,)),                       # part of the deviation by the noise [kg]
    ('slope', REAL, (MASSES, _FACTORS)),               # of mass, by factor [kg]
], low_pass=[     # mass, slopes; variance, and covariance with the error of the last instant
    ('low', REAL, (MASSES, _FACTORS + 1)),
    ('variance', REAL, (MASSES,)), ('shared', REAL, (MASSES,)),
], ring=[     # of moving sums
    ('index', INTEGER), ('count', INTEGER),            # row that comes next; rows that count
], agreement=[     # of the equations: an unknown force on each, see kernels.agreement
    ('off', REAL, (G,)), ('off_variance', REAL, (G,)), ('off_shared', REAL, (G,)),
    ('off_slope', REAL, (G, _FACTORS)),                # of off, by factor
    ('off_mass', REAL, (G, MASSES)),                   # masses without the equation, beside mass
    ('apart', REAL, (MASSES,)),                        # the largest of equations that contradict
], change=[     # its detection: towards more (0) and towards less (1)
    ('score', REAL, (MASSES, 2)),                      # log of a likelihood ratio
    ('since', REAL, (MASSES, 2)),                      # how long the score has not been zero [s]
    ('sum', REAL, (MASSES, 2)),                        # of the masses since then, times time
    ('reported', INTEGER, (2,)),                       # stamp of the last event
])
