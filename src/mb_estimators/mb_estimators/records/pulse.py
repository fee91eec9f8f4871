"""The record of pulses that an unknown force may consist of, beside FILTER."""

from mb_estimators.records.filter import K, L
from mb_model.jit import INTEGER, REAL, RecordType, sizes
from mb_model.record import G

H, W = sizes('hypotheses widths')

PULSES = RecordType(
    'mb_estimators.records.pulse.PULSES', noise=[     # of the known forces, and of the model's
        ('variance', REAL, (G,)),                          # stationary, at rest and without force
        ('time', REAL),                                    # of its correlation [s]
        ('by_speed', REAL), ('by_force', REAL), ('by_jump', REAL),      # what doubles the variance
        ('by_power', REAL),                                             # 0: no power does
        ('known', REAL, (G,)),                             # the present known force
        ('slow', REAL, (G,)), ('jump', REAL, (G,)),        # its low pass, and how far it jumped
        ('lash', REAL, (G,)), ('lash_force', REAL), ('lash_time', REAL),
        ('loaded', REAL, (G,)),                            # the known force, by lash_time late
        ('at_motor', INTEGER, (K,)),                       # channels that read the angle of a motor
        ('limit', REAL),                                   # of innovations, in deviations
        ('by_known', REAL, (G, G)),                        # dzdd/dforce
    ], prior=[
        ('width', REAL, (W,)),                             # standard deviations of the shape [s]
        ('spacing', REAL),                                 # of centres [s]
        ('amplitude_mean', REAL), ('amplitude_variance', REAL),     # of either side
        ('rate', REAL),                                    # pulses of a degree of freedom per time
        ('least', REAL),                                   # amplitude of one that is detected
        ('adopted', REAL),                                 # probability from which one was there
    ], hypotheses=[
        ('since', REAL),                                   # the last ones began [s]
        ('alive', INTEGER, (H,)), ('of', INTEGER, (H,)),   # on which degree of freedom
        ('wide', REAL, (H,)), ('ahead', REAL, (H,)),       # width; time until the centre [s]
        ('effect', REAL, (H, L)),                          # what a unit pulse does to the states
        ('information', REAL, (H,)), ('score', REAL, (H,)),
        ('likely', REAL, (H,)), ('doubt', REAL, (H,)),     # mean, variance of the amplitude
        ('probability', REAL, (H,)),
    ], ended=[     # in the last correction
        ('ended', INTEGER), ('ended_one', INTEGER, (H,)), ('adopted_now', INTEGER),
    ], answer=[
        ('mean', REAL, (G,)), ('square', REAL, (G,)),      # of the pulses' force at present
        ('active', REAL, (G,)),                            # probability that such one is on
        ('moved', REAL, (L,)), ('seen', REAL, (K,)),       # scratch
    ])
