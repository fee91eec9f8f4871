"""Loads that the bending of a machine weighs: the equation of the mass with flexible bodies.

flexible_crane carries a load by its boom alone: nothing drives it but gravity, and strain gauges
show how much the boom bends.  error_ekf_fe, whose model has the load of the file, estimates the
motion, the payload estimator the load.  Each seed draws noise, and a stiffness and other masses of
the model that are wrong by as much as the settings say.  The truth moves as the model does, or is a
chain of segments in MuJoCo, whose boom bends under its own weight as a beam does.  In the model it
bends as under a force at its end, or as under its own weight, too.

The hydraulic crane's arm bends: a chain in MuJoCo, 50 kg.  Its load is weighed by the equation of
the paper, of rigid bodies, and by that of an arm that bends in one mode, with a gauge on it.
"""

from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import product

import numpy as np

from benchmarks.cases import shipped_settings
from benchmarks.crane_cases import (
    BENDS,
    FLAT_BENDS,
    HONEST,
    LOAD,
    SENSORS,
    crane,
    of_every,
    work_cycle,
)
from benchmarks.crane_unmodelled import bending_arm
from benchmarks.figures import Figure
from mb_contact import PayloadEstimator, PayloadExperiment, PayloadSettings
from mb_estimators import NORMAL_95, Experiment
from mb_model import STATE, Mechanism, Run, apply_model_errors, load_mechanism, simulate
from mb_simulation.prototypes import make_prototype
from mb_simulation.prototypes.recorded_cycle import recorded_cycle
from mb_simulation.prototypes.unmodelled import UnmodelledSettings

SEEDS = range(20)
DT, END, SETTLED = 5e-3, 10.0, 5.0      # s
MASS, HEAVY = 'bodies.load.mass', 60.0  # kg
SHARE = 0.01                            # of the stiffness, of other masses
# Of 0.005 to 0.1 s, by halves of decades, the one with the largest likelihood of the mass in
# another motion and noise: sway -0.15, slewing at -0.15 rad/s; seeds 101 to 108.
CORRELATED = 0.03                       # s
EXACT = {'stiffness_uncertainty': 0.0, 'model_uncertainty': 0.0}
ONE, TWO = 'one shape', 'two shapes'
GAUGES = {                              # name: (engine, shapes, whether the file is exact)
    'as the model, known exactly': ('multibody', ONE, True),
    'as the model': ('multibody', ONE, False),
    'chain': ('mujoco', ONE, False),
    'chain, bending by its weight in the model': ('mujoco', TWO, False)}
ARMS = {'arm bends': BENDS, 'flat arm bends': FLAT_BENDS}
RIGID, GAUGED = 'rigid equation', 'bending equation, gauge'
GAUGE = {'kind': 'strain_gauge', 'body': 'arm', 'at': [0.6, 0.07], 'sigma': 1e-6, 'rate': 100.0}
FAST = {'time_constant': 0.1, 'averaging_time': 0.2}    # a fifth of the usual filters


def measure_payload_by_gauges() -> list[Figure]:
    """Return errors, claims and coverage of the load of flexible_crane."""
    return of_all(by_gauges, [(name,) for name in GAUGES])


def measure_payload_of_bending_crane() -> list[Figure]:
    """Return errors, claims and coverage of the load of the hydraulic crane whose arm bends."""
    return of_all(by_pressures, product(ARMS, (RIGID, GAUGED)))


def of_all(numbers_of: Callable, cases: Iterable[tuple]) -> list[Figure]:
    """Return the Figures of cases, of what a function of them and a seed says."""
    return [figure for case, runs in of_every(numbers_of, cases, SEEDS)
            for figure in figures(', '.join(case), runs)]


def figures(name: str, runs: list[dict]) -> list[Figure]:
    """Return the Figures of the runs of a case."""
    def mean(key: str) -> float:
        return float(np.mean([run[key] for run in runs]))

    shown = [
        Figure(f'{name}: RMSE of the mass', mean('square') ** 0.5, 'kg', peer='claimed 1 sigma',
               peer_value=mean('claimed')),
        Figure(f'{name}: RMS of errors over claims', mean('over') ** 0.5, '', 1.0),
        Figure(f'{name}: bias of the mass', mean('bias'), 'kg'),
        Figure(f'{name}: 95 % interval of the mass holds the truth', mean('held'), '', HONEST),
        Figure(f'{name}: masses of instants, RMS error', mean('raw') ** 0.5, 'kg')]
    if 'fast' in runs[0]:
        shown.append(Figure(f'{name}: RMSE of the mass, filters five times as fast',
                            mean('fast') ** 0.5, 'kg'))
    return shown


def numbers(error, deviation, raw) -> dict[str, float]:
    """Return numbers of errors of masses (k), their deviations (k) and those of instants."""
    return {'square': np.mean(error ** 2), 'claimed': np.mean(deviation), 'bias': np.mean(error),
            'over': np.mean((error / deviation) ** 2),
            'held': np.mean(np.abs(error) <= NORMAL_95 * deviation), 'raw': np.nanmean(raw ** 2)}


def two_shapes(mechanism: Mechanism) -> Mechanism:
    """Return the crane whose boom bends as under a force at its end, and under its own weight."""
    x = np.linspace(0.0, 1.0, 21)
    shapes = 3.0 * x ** 2 - x ** 3, 6.0 * x ** 2 - 4.0 * x ** 3 + x ** 4
    return mechanism.replace(
        bodies={'boom': {'flexible': {'table': {
            'x': x.tolist(), 'deflections': [shape.tolist() for shape in shapes]}}}})


def started(mechanism: Mechanism) -> Mechanism:
    """Return a Mechanism that starts as its flexible bodies hang at rest."""
    modes = [mechanism.independent.index(name)
             for name in mechanism.bodies['boom'].modes]
    z, rest, step = mechanism.z0.copy(), np.zeros(mechanism.g), 1e-6
    z[modes] = 0.0
    for _ in range(5):
        off = mechanism.inverse_dynamics(z, rest, rest)
        slopes = np.array([mechanism.inverse_dynamics(z + step * one, rest, rest) - off
                           for one in np.eye(mechanism.g)[modes]]).T / step
        z[modes] -= np.linalg.solve(slopes[modes], off[modes])
    return mechanism.replace(start={mechanism.independent[k]: float(z[k]) for k in modes})


@lru_cache(maxsize=1)
def carried(engine: str, shapes: str) -> Run:
    """Return the Run of flexible_crane that carries HEAVY, its modes as the shapes have them."""
    true = shaped(shapes, HEAVY)
    if engine != 'mujoco':
        return simulate(true, END, DT)
    prototype, states = make_prototype('mujoco', true, DT, DT), []
    t = DT * np.arange(round(END / DT) + 1)
    for _ in t:
        if states:
            prototype.advance()
        states.append(prototype.state)
    return Run(true, t, *(np.array([getattr(one, name) for one in states]) for name in STATE),
               np.zeros((len(t), true.g)))


@lru_cache(maxsize=4)
def shaped(shapes: str, load: float) -> Mechanism:
    """Return flexible_crane with a load [kg], as it hangs."""
    file = load_mechanism('flexible_crane').replace(bodies={'load': {'mass': load}})
    return started(file if shapes == ONE else two_shapes(file))


def by_gauges(name: str, seed: int) -> dict[str, float]:
    """Return the numbers of HEAVY on the boom of flexible_crane, by a model drawn by a seed."""
    engine, shapes, exact = GAUGES[name]
    stiff, heavy = 1.0 + (0.0 if exact else SHARE) * np.random.default_rng(seed).normal(size=2)
    truth, file = carried(engine, shapes), load_mechanism('flexible_crane')
    believed = shaped(shapes, file.bodies['load'].mass)
    trial = Experiment(truth.mechanism, ['default'], {
        'parameters': {key: stiff * file.parameters[key] for key in ('young', 'shear')},
        'start': dict(zip(believed.independent, believed.z0.tolist(), strict=True)),
        'bodies': {'load': {'mass': file.bodies['load'].mass}} | {
            key: {'mass': heavy * file.bodies[key].mass} for key in ('boom', 'head')}},
        END, DT, truth)
    result = trial.run('error_ekf_fe', seed, acceleration_variance=shipped_settings(
        'flexible_crane')['acceleration_variance'])
    seen, settings = result.observer, PayloadSettings(
        correlation_time=CORRELATED, **(EXACT if exact else {}))
    payload = PayloadEstimator(trial.mechanism, [MASS], settings, DT).run(
        np.array(trial.stamps), seen.z, seen.zd, seen.zdd, covariance=result.covariance)
    late = trial.t >= SETTLED
    return numbers(payload.mass[late, 0] - HEAVY, payload.deviation[late, 0],
                   payload.raw_mass[late, 0] - HEAVY)


@lru_cache(maxsize=1)
def bending_crane(arm: str, how: str) -> PayloadExperiment:
    """Return the PayloadExperiment of the crane whose arm bends, weighed by an equation."""
    if how == RIGID:
        truth = recorded_cycle(crane(), work_cycle(crane()),
                               unmodelled=UnmodelledSettings(**ARMS[arm]))
        return PayloadExperiment(crane(), SENSORS, truth=truth)
    errors = bending_arm(ARMS[arm])
    errors['sensors'] = errors['sensors'] | {'gauge': GAUGE}
    true = apply_model_errors(crane(LOAD), errors)
    return PayloadExperiment(true, [*SENSORS, 'gauge'],
                             truth=recorded_cycle(true, work_cycle(crane())))


def by_pressures(arm: str, how: str, seed: int) -> dict[str, float]:
    """Return the numbers of 50 kg on the hydraulic crane."""
    run = bending_crane(arm, how)
    result = run.run(seed)
    seen = result.observed
    fast = PayloadEstimator(run.mechanism, [run.mass], PayloadSettings(**FAST), run.dt).run(
        run.stamps, seen.z, seen.zd, seen.zdd, seen.pressures, seen.covariance)
    late = result.judged
    counted = late & result.payload.updating
    return numbers(result.mass_error[late], result.payload.deviation[late, 0],
                   (result.payload.raw_mass[:, 0] - result.true_mass)[counted]) | {
        'fast': np.mean((fast.mass[:, 0] - result.true_mass)[late] ** 2)}
