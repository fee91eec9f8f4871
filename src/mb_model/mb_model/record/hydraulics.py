"""The records that kernels of hydraulics work on: the circuit, and a workspace with its state.

Pressures are counted: those in volumes first, then supplies, then the air around.  Chambers
of cylinders are ordered piston side, rod side of the first, piston side, rod side of the second...
All numbers are in SI units, pressures absolute.
"""

from mb_model.jit import INTEGER, REAL, RecordType, sizes
from mb_model.record import G

AIR_PRESSURE = 101325.0   # of the air around [Pa]

# pressures: of volumes, supplies, the air; orifices: leakages past pistons among them; valves:
# commanded ones
V, PRESSURES, ORIFICES, U, C = sizes('volumes pressures orifices valves cylinders')
_X = 2 * G + V + U        # z, zd, p, U

CIRCUIT = RecordType(
    'mb_model.record.hydraulics.CIRCUIT', counts=[
    ('volumes', INTEGER), ('pressures', INTEGER), ('orifices', INTEGER),
    ('valves', INTEGER), ('cylinders', INTEGER),
], oil=[
    ('bulk_modulus', REAL),                            # of the oil [Pa]
    ('air', REAL),                                     # share of air times its pressure [Pa]
    ('laminar_pressure', REAL),                        # [Pa]
    ('supply_pressure', REAL, (PRESSURES,)),              # of supplies and the air [Pa]
    ('volume', REAL, (V,)),                            # of hoses and pipes [m^3]
    ('compliance', REAL, (V,)),                        # of hoses and pipes [m^3/Pa]
], orifices=[
    ('orifice_start', INTEGER, (ORIFICES,)),           # pressures at its ends
    ('orifice_end', INTEGER, (ORIFICES,)),
    ('orifice_laminar', INTEGER, (ORIFICES,)),         # 1: flow proportional to pressure drop
    ('orifice_coefficient', REAL, (ORIFICES,)),        # [m^3/(s Pa^0.5)]; laminar [m^3/(s Pa)]
    ('orifice_valve', INTEGER, (ORIFICES,)),           # -1: always open
    ('orifice_sign', REAL, (ORIFICES,)),               # of the spool that opens it
    ('time_constant', REAL, (U,)),                     # [s]
], cylinders=[
    ('coordinate', INTEGER, (C,)),                     # of q, the length of each cylinder
    ('retracted', REAL, (C,)), ('stroke', REAL, (C,)),  # [m]
    ('barrel_modulus', REAL, (C,)),                    # [Pa]
    ('chamber', INTEGER, (2 * C,)),                    # its pressure
    ('area', REAL, (2 * C,)),                          # [m^2]
    ('coulomb', REAL, (C,)), ('static', REAL, (C,)),   # [N]
    ('transition_velocity', REAL, (C,)),               # [m/s]
    ('viscous', REAL, (C,)),                           # [N s/m]
    ('difference_friction', REAL, (C,)), ('rod_friction', REAL, (C,)),  # [m^2]
    ('stop_stiffness', REAL, (C,)),                    # [N/m]
    ('stop_damping', REAL, (C,)),                      # [s/m]
])

FLUID = RecordType(
    'mb_model.record.hydraulics.FLUID', state=[
    ('s', REAL, (C,)), ('sd', REAL, (C,)),             # lengths [m], rates of the cylinders
    ('p', REAL, (PRESSURES,)),                            # of volumes, then the others [Pa]
    ('U', REAL, (U,)), ('U_in', REAL, (U,)),           # spools and their commands
], pressure=[     # see kernels.pressure
    ('Q', REAL, (ORIFICES,)), ('Q_drop', REAL, (ORIFICES,)),  # flows [m^3/s], by pressure drop
    ('Q_U', REAL, (ORIFICES,)),                        # by their spool
    ('content', REAL, (V,)),                           # volume now [m^3]
    ('stiffness', REAL, (V,)),                         # B_e / V [Pa/m^3]
    ('stiffness_p', REAL, (V,)),                       # by pressure
    ('net_flow', REAL, (V,)),                          # into the volume, beyond its growth [m^3/s]
    ('pd', REAL, (V,)), ('Ud', REAL, (U,)),            # rates
    ('pd_s', REAL, (V, C)), ('pd_sd', REAL, (V, C)), ('pd_p', REAL, (V, V)),
    ('pd_U', REAL, (V, U)), ('Ud_U', REAL, (U,)),
], cylinder=[     # see kernels.cylinder
    ('pressure_force', REAL, (C,)), ('friction', REAL, (C,)), ('force', REAL, (C,)),  # [N]
    ('stop_force', REAL, (C,)),
    ('force_sd', REAL, (C,)), ('force_p', REAL, (C, V)),
    ('stop_force_s', REAL, (C,)), ('stop_force_sd', REAL, (C,)),
], step=[
    ('s0', REAL, (C,)), ('sd0', REAL, (C,)),           # lengths before it
    ('x0', REAL, (_X,)), ('rate', REAL, (_X,)), ('k1', REAL, (_X,)), ('k2', REAL, (_X,)),
    ('jacobian', REAL, (_X, _X)), ('newton', REAL, (_X, _X)), ('pivots', INTEGER, (_X,)),
    ('column', REAL, (_X,)),
])
