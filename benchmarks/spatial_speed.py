"""Time of a 1 ms step of machines in space beside Pinocchio's and EXUDYN's, and of derivatives.

Ours: index-3 augmented Lagrangian with its trapezoidal rule, in a compiled loop.  Pinocchio:
constrained dynamics in its tree of joints, called from Python; its trapezoidal step iterates to
increments of 1e-10 as ours does, without the machine's springs, which it does not know.  EXUDYN:
its compiled loop, trapezoidal rule, the fastest of its linear solvers and Newton iterations, the
first steps left out.  All on one thread.  Machines are shared: times are of the processor, without
what other programs took meanwhile, and of many short runs in turn the shortest one counts.
"""

import numpy as np

from benchmarks.figures import Figure
from benchmarks.model_speed import (
    DERIVATIVES,
    STEP,
    STEPS,
    repeat_derivatives,
    repeat_dynamics,
    steps_from,
)
from benchmarks.peers import installed
from benchmarks.spatial_truth import without
from benchmarks.stopwatch import shortest
from mb_model import load_mechanism, make_stepper

STEP_TARGETS = {'stewart': 20.0, 'excavator': 25.0}       # us
EXUDYN_SHARE = 0.1
MACHINES = ('six_axis_arm', 'quadruped_leg', 'delta', 'stewart', 'excavator')
INCREMENT, ITERATIONS = 1e-10, 20     # of Pinocchio's implicit step


def measure():
    """Return times of steps beside peers, and of derivatives beside forward dynamics."""
    figures = []
    for name, target in STEP_TARGETS.items():
        figures += of_steps(name, target)
    for name in MACHINES:
        figures += of_derivatives(name)
    return figures


def of_steps(name, target):
    """Return the time of a step of a machine, beside those of the peers that are installed."""
    mechanism = without(name)
    ours = steps_from(make_stepper(mechanism, 'index3_al'))
    functions = {'ours': ours} | pinocchio_steps(mechanism)
    iterations = ours() / STEPS
    times = shortest(functions)
    step = 1e6 * times['ours'] / STEPS
    figures = [Figure(f'{name}: step, {iterations:.1f} iterations', step, 'us', target)]
    for peer in list(times)[1:]:
        figures.append(Figure(f'{name}: step', step, 'us', peer=peer,
                              peer_value=1e6 * times[peer] / STEPS))
    exudyn, how = exudyn_step(mechanism)
    if exudyn is not None:
        figures += [Figure(f'{name}: step', step, 'us', peer=f'EXUDYN, {how}',
                           peer_value=1e6 * exudyn),
                    Figure(f'{name}: step, share of EXUDYN', step / (1e6 * exudyn), '',
                           EXUDYN_SHARE)]
    return figures


def pinocchio_model(mechanism):
    """Return a mechanism without forces in Pinocchio, None where that is not installed."""
    pinocchio = installed('pinocchio_spatial')
    if pinocchio is None:
        return None
    bare = mechanism.replace(forces=dict.fromkeys(mechanism.described.forces))
    return pinocchio.PinocchioModel(bare, bare.q0, bare.velocity(bare.q0, bare.zd0))


def pinocchio_steps(mechanism):
    """Return {name: function that makes STEPS steps} of Pinocchio, none where it is not there."""
    peer = pinocchio_model(mechanism)
    if peer is None:
        return {}

    def evaluations():
        for _ in range(STEPS):
            peer.acceleration()

    def trapezoidal():
        q, v, a = peer.q, peer.v, peer.acceleration()
        for _ in range(STEPS):
            q0, v0, a0 = q, v, a.copy()
            for _ in range(ITERATIONS):
                before = v
                v = v0 + 0.5 * STEP * (a0 + a)
                q = peer.moved(q0, 0.5 * STEP * (v0 + v))
                a = peer.acceleration(q, v)
                if np.abs(v - before).mean() * STEP < INCREMENT:
                    break
    return {'Pinocchio, one evaluation': evaluations, 'Pinocchio, trapezoidal': trapezoidal}


def exudyn_step(mechanism):
    """Return (seconds of a step of EXUDYN, by which solver), None and '' where it is not there."""
    exudyn = installed('exudyn_spatial')
    if exudyn is None:
        return None, ''
    # The start costs much more than a step: what is longer in a longer run counts.
    long, short = 4 * STEPS, STEPS
    runs = {(solver, modified, steps): lambda s=solver, m=modified, k=steps:
            exudyn.ExudynModel(mechanism).run(k, STEP, m, s)
            for solver in exudyn.SOLVERS for modified in (False, True) for steps in (long, short)}
    times = shortest(runs, rounds=10)
    found = {f'{solver}, {"modified" if modified else "full"} Newton':
             (times[solver, modified, long] - times[solver, modified, short]) / (long - short)
             for solver, modified, steps in runs if steps == long}
    best = min(found, key=found.get)
    return found[best], best


def of_derivatives(name):
    """Return the time of forward dynamics and what derivatives cost, beside Pinocchio."""
    mechanism = load_mechanism(name)
    works = make_stepper(mechanism).work
    works['zd'][0, :mechanism.g] = 0.1
    times = shortest({'dynamics': lambda: repeat_dynamics(mechanism.model, works, STEPS),
                      'derivatives': lambda: repeat_derivatives(mechanism.model, works, STEPS)}
                     | pinocchio_derivatives(mechanism))
    figures = [Figure(f'{name}: forward dynamics', 1e6 * times['dynamics'] / STEPS, 'us'),
               Figure(f'{name}: with A, B, dzdd/dforce',
                      times['derivatives'] / times['dynamics'], 'evaluations', DERIVATIVES)]
    if 'peer' in times:
        figures[0].peer, figures[0].peer_value = 'Pinocchio', 1e6 * times['peer'] / STEPS
        figures[1].peer = "Pinocchio, its tree's and constraints'"
        figures[1].peer_value = times['its derivatives'] / times['peer']
    return figures


def pinocchio_derivatives(mechanism):
    """Return the functions 'peer', of the dynamics alone, and 'its derivatives', with those."""
    peer = pinocchio_model(mechanism)
    if peer is None:
        return {}

    def dynamics():
        for _ in range(STEPS):
            peer.acceleration()

    def derivatives():
        for _ in range(STEPS):
            peer.derivatives()
    return {'peer': dynamics, 'its derivatives': derivatives}
