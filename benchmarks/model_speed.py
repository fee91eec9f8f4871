"""What models cost: steps and derivatives of planar machines, beside EXUDYN and MuJoCo.

    python -m benchmarks planar_speed
    PYTHONPATH=<worktree of another commit>/src/mb_model python -m benchmarks planar_speed

The latter compares with another state of mb_model in the same hour.
"""

import warnings

import numpy as np

from benchmarks.figures import Figure
from benchmarks.peers import installed, mujoco_step
from benchmarks.stopwatch import shortest, times_per_call
from mb_model import FORMULATIONS, IntegrationWarning, load_mechanism, make_stepper, simulate
from mb_model.jit import entry
from mb_model.kernel_api import (
    force_derivative,
    forward_dynamics,
    index3_al_step,
    linearise,
    parameter_jacobian,
)
from mb_model.record import WORK

STEP, STEPS = 1e-3, 50                  # s; of a short run, or evaluations
MACHINES, ROUNDS = ('four_bar', 'five_bar', 'three_rrr'), 800
DIFFERENTIATED = ('four_bar', 'five_bar', 'four_bar_split', 'andrews_squeezer')
EVALUATIONS = 2000                      # of one loop of derivatives
DERIVATIVES = 3.0                       # forward dynamics
LONG_RUN = 5000                         # steps, beside EXUDYN's own loop
SHARE = 1 / 3                           # of EXUDYN's time, at most


@entry
def repeat_steps(models, works):
    """Make STEPS steps; return how many iterations they took, negative if one failed."""
    total = 0
    for _ in range(STEPS):
        iterations = index3_al_step(models[0], works[0], STEP)
        if iterations < 0:
            return -1
        total += iterations
    return total


@entry
def repeat_dynamics(models, works, count):
    """Forward dynamics alone, count times."""
    for _ in range(count):
        forward_dynamics(models[0], works[0])


@entry
def repeat_derivatives(models, works, count):
    """Forward dynamics with dzdd/dz, dzdd/dzd and dzdd/dforce, count times."""
    for _ in range(count):
        forward_dynamics(models[0], works[0])
        linearise(models[0], works[0])
        force_derivative(models[0], works[0], works[0].zdd_force)


@entry
def repeat_parameters(models, works, records, out, count):
    """Forward dynamics with dzdd/dp, count times."""
    for _ in range(count):
        forward_dynamics(models[0], works[0])
        parameter_jacobian(models[0], works[0], records, out)


def steps_from(stepper):
    """Return a function that makes STEPS steps of index3_al from where a stepper is.

    It returns how many iterations they took; raises RuntimeError if one fails.
    """
    start = {part: stepper.work[part].copy() for part in WORK.parts['state']}

    def steps():
        for part, value in start.items():
            stepper.work[part] = value
        iterations = repeat_steps(stepper.model, stepper.work)
        if iterations < 0:
            raise RuntimeError(f'{stepper.mechanism.name}: no step')
        return iterations
    return steps


def measure_planar_speed():
    """Return processor times of steps, forward dynamics and derivatives, from compiled loops.

    Of `step from Python` each step is a call.
    """
    return [figure for name in MACHINES for figure in _costs(name)]


def _costs(name):
    mechanism = load_mechanism(name)
    called, stepper = (make_stepper(mechanism, 'index3_al') for _ in range(2))

    def from_python():
        called.reset()
        for _ in range(STEPS):
            called.step(STEP)
    times = shortest({
        'step from Python': from_python, 'step': steps_from(stepper),
        'forward dynamics': lambda: repeat_dynamics(mechanism.model, called.work, STEPS),
        'with A, B, dzdd/dforce': lambda: repeat_derivatives(mechanism.model, called.work, STEPS)},
        ROUNDS)
    return [Figure(f'{name}: {what}', 1e6 * time / STEPS, 'us') for what, time in times.items()]


def measure_derivatives():
    """Return what exact derivatives cost in evaluations of the forward dynamics, in the same run.
    """
    return [figure for name in DIFFERENTIATED for figure in _derivatives(name)]


def _derivatives(name):
    mechanism = load_mechanism(name)
    model, works = mechanism.model, mechanism.workspace()
    works['q'][0, :mechanism.n] = mechanism.q0
    works['z'][0, :mechanism.g], works['zd'][0, :mechanism.g] = mechanism.z0, 1.0
    records = mechanism.parameter_records([f'bodies.{body}.mass' for body in mechanism.bodies])
    out = np.empty((mechanism.g, len(records)))
    times = times_per_call({
        'dynamics': lambda: repeat_dynamics(model, works, EVALUATIONS),
        'derivatives': lambda: repeat_derivatives(model, works, EVALUATIONS),
        'parameters': lambda: repeat_parameters(model, works, records, out, EVALUATIONS)}, calls=10)
    one = times['dynamics']
    return [
        Figure(f'{name}: forward dynamics', 1e6 * one / EVALUATIONS, 'us'),
        Figure(f'{name}: with A, B, dzdd/dforce', times['derivatives'] / one, 'evaluations',
               DERIVATIVES),
        Figure(f'{name}: dzdd/dmass, each', (times['parameters'] - one) / one / len(records),
               'evaluations')]


def measure_model_step():
    """Return the time of a 1 ms step of the four-bar linkage, called from Python, beside MuJoCo's.

    By each formulation and integrator.
    """
    mechanism = load_mechanism('four_bar')
    steppers = {f'{name}, {integrator}': make_stepper(mechanism, name, integrator)
                for name, formulation in FORMULATIONS.items()
                for integrator in formulation.integrators}
    times = times_per_call({name: lambda s=stepper: s.step(STEP)
                            for name, stepper in steppers.items()}
                           | {'mujoco': mujoco_step(mechanism, STEP)})
    peer = times.pop('mujoco')
    return [Figure(name, 1e6 * time, 'us', peer='MuJoCo', peer_value=1e6 * peer)
            for name, time in times.items()]


def measure_exudyn_step():
    """Return our time per step as a share of EXUDYN's, and how far apart the two end.

    Index-3 augmented Lagrangian against EXUDYN's index-2 trapezoidal rule, both to increments of
    1e-10.  EXUDYN runs its own compiled loop without output, on one thread, by the faster of its
    two Newton iterations; ours and MuJoCo are called from Python step by step.
    """
    exudyn_model = installed('exudyn_model')
    if exudyn_model is None:
        return []
    mechanism = load_mechanism('four_bar')
    stepper, mujocos, angles = make_stepper(mechanism), mujoco_step(mechanism, STEP), {}

    def repeated(step):
        for _ in range(LONG_RUN):
            step()

    def ours():
        stepper.reset()
        repeated(lambda: stepper.step(STEP))

    def exudyns(modified):
        angles['exudyn'] = exudyn_model.simulate(mechanism, LONG_RUN, STEP, 'crank', modified)

    times = times_per_call({'ours': ours, 'MuJoCo': lambda: repeated(mujocos),
                            'full': lambda: exudyns(False), 'modified': lambda: exudyns(True)}, 1)
    times['EXUDYN'] = min(times['full'], times['modified'])
    return [
        Figure('index3_al, share of EXUDYN', times['ours'] / times['EXUDYN'], '', SHARE),
        *(Figure('index3_al, trapezoidal', 1e6 * times['ours'] / LONG_RUN, 'us', peer=peer,
                 peer_value=1e6 * times[peer] / LONG_RUN) for peer in ('EXUDYN', 'MuJoCo')),
        Figure(f'crank angle after {LONG_RUN * STEP:g} s', stepper.z[0], 'rad', peer='EXUDYN',
               peer_value=angles['exudyn'])]


def measure_error_estimate():
    """Return the time of a step with the estimated error of a motion, beside the one without it.

    By each formulation, of a `simulate` of a second.
    """
    warnings.simplefilter('ignore', IntegrationWarning)
    mechanism = load_mechanism('four_bar')
    times = times_per_call({(name, estimate): lambda name=name, estimate=estimate: simulate(
        mechanism, 1.0, STEP, name, estimate_error=estimate)
        for name in FORMULATIONS for estimate in (True, False)}, calls=5)
    return [Figure(f'{name}: time of a step', 1e6 * times[name, True] * STEP, 'us',
                   peer='without the estimate', peer_value=1e6 * times[name, False] * STEP)
            for name in FORMULATIONS]
