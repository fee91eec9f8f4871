"""Records of filters of motion and oil, beside FILTER, whose x and P have their states.

Pressures are in MPa: in these units the numbers of a machine are of one size, in SI units they are
ten powers of ten apart.
"""

from mb_estimators.records.filter import K, L
from mb_model.jit import INTEGER, REAL, RecordType, sizes
from mb_model.record import G
from mb_model.record.hydraulics import C, V

PASCAL = 1e6              # in a unit of the pressures that are states

# Of z, zd, zdd, pressures and spools, then biases, or, with COUPLED, of its states.
HYDRAULIC = RecordType(
    'mb_estimators.records.oil.HYDRAULIC', states=[
    ('cylinder_of', INTEGER, (L,)),                    # each coordinate z's cylinder, or -1
    ('psd', REAL, (L,)),                               # of the noise of each state's rate
    ('state_of', INTEGER, (K,)),                       # the state a channel reads itself, or -1
    ('unit_of', REAL, (K,)),                           # what one of the state is of the reading
    ('direct', INTEGER),                               # 1: all channels do
    ('solved', INTEGER),                               # 1: the mechanism is where the states are
], step=[     # its linearised equations, and what they come to
    ('A', REAL, (L, L)), ('rates', REAL, (L,)),
    ('increment', REAL, (L,)), ('noise', REAL, (L, L)),
    ('term', REAL, (L, L)), ('product', REAL, (L, L)), ('vector', REAL, (L,)),
], oil=[     # as it is reported, in SI units
    ('pressures', REAL, (L,)), ('spools', REAL, (L,)), ('forces', REAL, (L,)),
    ('covariance', REAL, (L, L)),                      # of z, zd, zdd, pressures, spools
])


(OILS,) = sizes('oil_parameters')

# Of mechanism and oil together: z, zd, pressures, spools, errors of the cylinders' forces [MPa on
# the piston], logarithms of factors of oil parameters, numbers of parameters of the model, biases.
COUPLED = RecordType(
    'mb_estimators.records.oil.COUPLED', states=[
    ('force', INTEGER),                                # the first state of the cylinders' errors
    ('unit', REAL, (C,)),                              # one of such a state [N]
    ('decay', REAL), ('moving_psd', REAL),             # of them while a cylinder moves [1/s]
    ('still_psd', REAL),                               # and while it stands
    ('first', INTEGER), ('count', INTEGER),            # the states of the oil's parameters
    ('kind', INTEGER, (OILS,)), ('index', INTEGER, (OILS,)),  # see OilParameter of mb_model
], step=[     # what the linearised equations are made of
    ('moves', INTEGER, (C,)),                          # 1: a cylinder, surely
    ('pushed', REAL, (C, G)),                          # zdd by the force of each cylinder
    ('pd', REAL, (V,)), ('by_force', REAL, (C,)),      # by a parameter of the oil
    ('zdd_x', REAL, (G, L)), ('by_zdd', REAL, (G,)),   # zdd by all states; a reading by zdd
])
