"""The records that kernels of hydraulics work on: the circuit, and a workspace with its state.

Places where oil can be are counted: volumes first, then supplies, then the air around.  Chambers
of cylinders are ordered piston side, rod side of the first, piston side, rod side of the second...
All numbers are in SI units, pressures absolute.
"""

import numpy as np

from mb_model.record import MAX_INDEPENDENT

MAX_VOLUMES = 8           # v
MAX_SUPPLIES = 4
MAX_ORIFICES = 32         # leakages past pistons among them
MAX_VALVES = 6            # u, those that are commanded
MAX_CYLINDERS = 6         # c
MAX_STATES = 2 * MAX_INDEPENDENT + MAX_VOLUMES + MAX_VALVES      # z, zd, p, U
AIR_PRESSURE = 101325.0   # of the air around [Pa]

_V, _O, _U, _C, _X = MAX_VOLUMES, MAX_ORIFICES, MAX_VALVES, MAX_CYLINDERS, MAX_STATES
_PLACES = MAX_VOLUMES + MAX_SUPPLIES + 1
_integer, _real = np.int64, np.float64

CIRCUIT = np.dtype([
    ('volumes', _integer), ('places', _integer), ('orifices', _integer),
    ('valves', _integer), ('cylinders', _integer),
    ('bulk_modulus', _real),                           # of the oil [Pa]
    ('air', _real),                                    # share of air times its pressure [Pa]
    ('laminar_pressure', _real),                       # [Pa]
    ('supply_pressure', _real, (_PLACES,)),            # of places that are no volumes [Pa]
    ('volume', _real, (_V,)),                          # of hoses and pipes [m^3]
    ('compliance', _real, (_V,)),                      # of hoses and pipes [m^3/Pa]
    ('orifice_start', _integer, (_O,)),                # places
    ('orifice_end', _integer, (_O,)),
    ('orifice_laminar', _integer, (_O,)),              # 1: flow proportional to pressure drop
    ('orifice_coefficient', _real, (_O,)),             # [m^3/(s Pa^0.5)]; laminar [m^3/(s Pa)]
    ('orifice_valve', _integer, (_O,)),                # -1: always open
    ('orifice_sign', _real, (_O,)),                    # of the spool that opens it
    ('time_constant', _real, (_U,)),                   # [s]
    ('coordinate', _integer, (_C,)),                   # of q, the length of each cylinder
    ('retracted', _real, (_C,)), ('stroke', _real, (_C,)),        # [m]
    ('barrel_modulus', _real, (_C,)),                  # [Pa]
    ('chamber', _integer, (2 * _C,)),                  # its place
    ('area', _real, (2 * _C,)),                        # [m^2]
    ('coulomb', _real, (_C,)), ('static', _real, (_C,)),          # [N]
    ('transition_velocity', _real, (_C,)),             # [m/s]
    ('viscous', _real, (_C,)),                         # [N s/m]
    ('difference_friction', _real, (_C,)), ('rod_friction', _real, (_C,)),       # [m^2]
    ('stop_stiffness', _real, (_C,)),                  # [N/m]
    ('stop_damping', _real, (_C,)),                    # [s/m]
])

FLUID = np.dtype([
    ('s', _real, (_C,)), ('sd', _real, (_C,)),         # lengths [m], rates of the cylinders
    ('p', _real, (_PLACES,)),                          # of volumes, then of the other places [Pa]
    ('U', _real, (_U,)), ('U_in', _real, (_U,)),       # spools and their commands
    # what kernels.pressure writes
    ('Q', _real, (_O,)), ('Q_drop', _real, (_O,)),     # flows [m^3/s], by pressure drop
    ('Q_U', _real, (_O,)),                             # by their spool
    ('content', _real, (_V,)),                         # volume now [m^3]
    ('stiffness', _real, (_V,)),                       # B_e / V [Pa/m^3]
    ('stiffness_p', _real, (_V,)),                     # by pressure
    ('net_flow', _real, (_V,)),                        # into the volume, beyond its growth [m^3/s]
    ('pd', _real, (_V,)), ('Ud', _real, (_U,)),        # rates
    ('pd_s', _real, (_V, _C)), ('pd_sd', _real, (_V, _C)), ('pd_p', _real, (_V, _V)),
    ('pd_U', _real, (_V, _U)), ('Ud_U', _real, (_U,)),
    # what kernels.cylinder writes
    ('pressure_force', _real, (_C,)), ('friction', _real, (_C,)), ('force', _real, (_C,)),   # [N]
    ('stop_force', _real, (_C,)),
    ('force_sd', _real, (_C,)), ('force_p', _real, (_C, _V)),
    ('stop_force_s', _real, (_C,)), ('stop_force_sd', _real, (_C,)),
    # scratch of a step
    ('x0', _real, (_X,)), ('rate', _real, (_X,)), ('k1', _real, (_X,)), ('k2', _real, (_X,)),
    ('jacobian', _real, (_X, _X)), ('newton', _real, (_X, _X)), ('pivots', _integer, (_X,)),
    ('column', _real, (_X,)),
])
