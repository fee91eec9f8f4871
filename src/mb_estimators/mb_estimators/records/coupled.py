"""The record of a filter of mechanism and oil together, beside FILTER and HYDRAULIC.

The states are z, zd, pressures [MPa], spools, errors of the cylinders' forces [MPa on the piston],
logarithms of the factors of oil parameters, numbers s of parameters of the model, biases.
"""

from mb_estimators.records.filter import L
from mb_model.jit import INTEGER, REAL, RecordType, sizes
from mb_model.record import G
from mb_model.record.hydraulics import C, V

(OILS,) = sizes('oil_parameters')

COUPLED = RecordType(
    'mb_estimators.records.coupled.COUPLED', states=[
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
