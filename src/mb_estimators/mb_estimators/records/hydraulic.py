"""The record of a filter of motion and oil, beside FILTER, whose x and P have its states.

The states are z, zd, zdd, pressures [MPa] and spools, then biases.  In these units the numbers of a
machine are of one size, in SI units they are ten powers of ten apart.
"""

from mb_estimators.records.filter import K, L
from mb_model.jit import INTEGER, REAL, RecordType

PASCAL = 1e6              # in a unit of the pressures that are states

HYDRAULIC = RecordType(
    'mb_estimators.records.hydraulic.HYDRAULIC', states=[
    ('cylinder_of', INTEGER, (L,)),                    # each coordinate z's cylinder, or -1
    ('psd', REAL, (L,)),                               # of the noise of each state's rate
    ('state_of', INTEGER, (K,)),                       # the state a channel reads itself, or -1
    ('unit_of', REAL, (K,)),                           # what one of the state is of the reading
    ('direct', INTEGER),                               # 1: all channels do
    ('solved', INTEGER),                               # 1: the mechanism is where the states are
    ('x0', REAL, (L,)),                                # states before a correction
], step=[     # its linearised equations, and what they come to
    ('A', REAL, (L, L)), ('rates', REAL, (L,)),
    ('increment', REAL, (L,)), ('noise', REAL, (L, L)),
    ('term', REAL, (L, L)), ('product', REAL, (L, L)), ('vector', REAL, (L,)),
], oil=[     # as it is reported, in SI units
    ('pressures', REAL, (L,)), ('spools', REAL, (L,)), ('forces', REAL, (L,)),
    ('covariance', REAL, (L, L)),                      # of z, zd, zdd, pressures, spools
])
