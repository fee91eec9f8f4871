"""The load of a crane that has what no model of it knows.

The prototype's arm bends: a chain of segments with the mass, centre and inertia of the rigid arm.
Its hoses throttle, and pressures are read at the cylinder or at the valve; the supply ripples, by
225 Hz, of nine pistons at 1500 revolutions in a minute, or 20 Hz of a pump that idles.  Truth and
readings are from it; filters have the model of the file, with more noise of the accelerations, and,
of an arm that bends, a model with one mode: the deflection of a beam on a pin and a prop under a
load at its end.  50 kg, three seeds: errors of the mass from five seconds after the first motion
on, how often the 95 % intervals hold the truth, and how often the status of an estimator would call
a sensor inconsistent.
"""

from functools import lru_cache
from itertools import product

import numpy as np

from benchmarks.crane_cases import (
    FEW_SEEDS,
    LIMIT,
    SENSORS,
    by_hydraulic_ekf,
    crane,
    held,
    inconsistent,
    mean,
    mean_held,
    numbers_of,
    over_seeds,
    work_cycle,
)
from benchmarks.figures import Figure
from mb_contact import PayloadExperiment
from mb_estimators import inconsistent_share
from mb_simulation.prototypes.recorded_cycle import recorded_cycle
from mb_simulation.prototypes.unmodelled import UnmodelledSettings

# Boxes of steel, 210 GPa, of the arm's 20 kg/m: 140 x 80 x 6 mm, and a flat one of a quarter of it.
BOX, FLAT = 1.35e6, 0.34e6              # N m^2
DAMPING_TIME = 2e-4                     # s: 1 % of critical damping at 16 Hz, as of welded steel
HOSES = {'hose_pressure_drop': 0.3e6, 'hose_flow': 1e-4}    # 4 m of 6.3 mm, oil of 35 mm^2/s
RIPPLE = 0.3e6              # Pa, 2 % of the supply
BENDS, FLAT_BENDS = ({'elastic_body': 'arm', 'bending_stiffness': stiffness,
                      'damping_time': DAMPING_TIME} for stiffness in (BOX, FLAT))
MACHINES = {
    'as the model': {}, 'arm bends': BENDS, 'flat arm bends': FLAT_BENDS,
    'hoses': HOSES, 'hoses, pressures at the valve': HOSES | {'pressures_at': 'valve'}, **{
        f'supply ripples by {rate:g} Hz': {'ripple_amplitude': RIPPLE, 'ripple_rate': rate}
        for rate in (225.0, 20.0)},
    'all, 225 Hz': BENDS | HOSES | {'ripple_amplitude': RIPPLE}}
KINEMATIC, COUPLED, NOISY, BENDING = (
    'kinematic', 'mechanism and oil', 'mechanism and oil, more noise', 'mechanism and oil, bending')
MORE_NOISE = 1e-4                       # acceleration_psd [m^2/s^3], a hundred times the default
UNIFORM = 36.0      # kg of a uniform arm that weighs as much about its pin as the true one


def measure():
    """Return errors and coverage of every machine and filter."""
    cases = [case for case in product(MACHINES, (KINEMATIC, COUPLED, NOISY, BENDING))
             if 'elastic_body' in MACHINES[case[0]] or case[1] != BENDING]
    return [figure for case, runs in over_seeds(run_figures, cases, FEW_SEEDS).items()
            for figure in figures(', '.join(case), runs)]


def figures(name, runs):
    """Return the figures of the runs of a machine and a filter."""
    return [
        Figure(f'{name}: RMSE of the mass', mean(runs, 'square') ** 0.5, 'kg',
               peer='claimed 1 sigma', peer_value=mean(runs, 'claimed')),
        Figure(f'{name}: largest error of the mass', max(run['worst'] for run in runs), 'kg', LIMIT,
               peer='bias', peer_value=mean(runs, 'bias')),
        *(held(name, key, mean_held(runs, key)) for key in ('s', 'sd', 'mass')),
        inconsistent(name, mean(runs, 'inconsistent'))]


@lru_cache(maxsize=1)
def truth(machine):
    """Return the Run of a machine that does the work cycle."""
    return recorded_cycle(crane(), work_cycle(crane()),
                          unmodelled=UnmodelledSettings(**MACHINES[machine]))


def run_figures(machine, way, seed):
    """Return the figures of one run."""
    errors = bending_arm(MACHINES[machine]) if way == BENDING else {}
    run = PayloadExperiment(crane(), SENSORS, model_errors=errors, truth=truth(machine))
    noise = {'acceleration_psd': MORE_NOISE} if way == NOISY else {}
    result = run.run(seed) if way == KINEMATIC else by_hydraulic_ekf(run, seed, **noise)
    seen, g = result.observed, run.mechanism.g
    off = np.abs(np.c_[seen.z[:, 0] - result.truth.z[:, 0], seen.zd[:, 0] - result.truth.zd[:, 0]])
    inside = off <= 1.959964 * np.sqrt(seen.covariance[:, (0, g), (0, g)])
    share = dict(zip(('s', 'sd'), inside.mean(axis=0).tolist(), strict=True))
    return numbers_of(result) | {
        'square': float(np.mean(result.mass_error[result.judged] ** 2)),
        'held': share | {'mass': result.mass_coverage},
        'inconsistent': inconsistent_share(run.sensors, run.stamps, result.observation)}


def bending_arm(machine):
    """Return entries of the file with an arm that bends; its section is known, and uniform."""
    arm, stiffness = crane().bodies['arm'], machine['bending_stiffness']
    length, prop = arm.points['T'][0], arm.points['D'][0]
    x = np.linspace(0.0, length, 41)
    beyond, rest = np.maximum(x - prop, 0.0), length - prop
    # E I w'' = F rest x / prop before the prop, F (length - x) beyond it.
    bent = rest * x ** 3 / (6.0 * prop) - length * beyond ** 3 / (6.0 * prop)
    shape = bent - x / length * bent[-1]
    beam = {'bending_stiffness': stiffness, 'table': {
        'x': x.tolist(), 'deflections': [(shape / np.abs(shape).max()).tolist()]}}
    bodies = {'arm': {'mass': UNIFORM, 'centre_of_gravity': None, 'inertia': None}}
    without = {'coordinates': {'lift': None}, 'sensors': {'lift_encoder': None}, 'bodies': bodies}
    bodies['arm']['flexible'] = beam | {'damping_ratio': 0.0}
    frequency = crane().replace(**without).bodies['arm'].beam.frequencies[0]
    beam['damping_ratio'] = 0.5 * machine['damping_time'] * float(frequency)
    bodies['arm']['flexible'] = beam
    return without | {'start': {'arm.mode1': hanging(crane(0.0).replace(**without))}}


def hanging(mechanism):
    """Return the mode of an arm that hangs at rest: otherwise a filter begins with a jerk."""
    z, still = mechanism.z0.copy(), np.zeros(mechanism.g)
    for _ in range(3):
        z[1] -= (mechanism.inverse_dynamics(z, still, still)[1]
                 / mechanism.bodies['arm'].beam.stiffness[0])
    return float(z[1])
