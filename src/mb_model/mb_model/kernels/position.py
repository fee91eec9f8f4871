"""Position problem: all coordinates for given degrees of freedom, on the branch one comes from."""


from mb_model.jit import also, kernel, separate
from mb_model.kernels.newton import has_converged
from mb_model.kernels.storage import (
    apply_r,
    apply_s,
    evaluate,
    factor_dependent,
    prepare_velocity,
)
from mb_model.kernels.time import set_time
from mb_model.kernels.velocity import add_driven_velocities
from mb_model.record import MODEL, WORK
from mb_model.record.sparse import SPARSE_MODEL, SPARSE_WORK

SOLVED = 0
NOT_CONVERGED = 1         # Newton's iteration did not converge
OTHER_BRANCH = 2          # it converged across a singular position
SINGULAR = 3              # the position is singular: the degrees of freedom do not decide it

SMALL = 0.05              # move that is solved for at once, in radians or sizes of the mechanism
_ITERATIONS = 20
_TOLERANCE = 1e-13        # of the last increment, relative to the size of the coordinate
_ROUNDING = 1e-9          # an increment this small that shrinks no more is rounding,
_FAST = 1e-3              # and one that is this share of the last leaves its square: nothing
_LONGEST_STEP = 0.5       # of a degree of freedom at once, in radians or sizes of the mechanism
_SHORTEST_STEP = 1e-7     # of the whole move
_LARGEST_CORRECTION = 0.3     # of a predicted move, as a share of it: where two branches meet, a
_LEAST_CORRECTION = 1e-9      # jump to the other is about 1 however small the move; rounding aside
_MOST_STEPS = 200_000


@kernel
def _move(model, work, step):
    """Add step dq to work.q; return the largest change, in radians or sizes of the mechanism."""
    largest = 0.0
    for row in range(model.n):
        change = step * work.dq[row]
        work.q[row] += change
        largest = max(largest, abs(change) / model.scale[row])
    return largest


@kernel
def _drive(model, work):
    """Prepare the driven entries for a move: their start in qdd, the move as a velocity in qd."""
    set_time(model, work, work.t)
    for k in range(model.driven):
        row = model.n_total - model.driven + k
        work.qdd[row] = work.q[model.driven_coordinate[k]]
        work.qd[row] = work.q[row] - work.qdd[row]
        work.q[row] = work.qdd[row]


@also(SPARSE_MODEL, SPARSE_WORK)
@separate(MODEL, WORK)
def solve_position(model, work):
    """Newton's iteration for phi(q) = 0 with q[independent] = work.z, starting at work.q.

    Returns SOLVED or why not; then work.q is as it was.  Meant for small moves (a time step, a
    correction); follow_position goes any distance.  Overwrites phi, phi_q, factor, pivots, sign.
    """
    start, violation, increment = work.q_before, work.violation, work.residual
    for row in range(model.n):
        start[row] = work.q[row]
    for k in range(model.g):
        work.q[model.independent[k]] = work.z[k]
    first_sign, sign, last, status = 0.0, 0.0, 1e300, NOT_CONVERGED
    for iteration in range(_ITERATIONS):
        evaluate(model, work)
        sign = factor_dependent(model, work)
        if sign == 0.0:
            status = SINGULAR
            break
        if iteration == 0:
            first_sign = sign
        for row in range(model.m):
            violation[row] = -work.phi[row]
        apply_s(model, work, violation, increment)
        change = 0.0      # a sum, because a maximum loses what is not a number
        for row in range(model.n):
            work.q[row] += increment[row]
            change += abs(increment[row]) / model.scale[row]
        if has_converged(change, last, _TOLERANCE, _ROUNDING, 0.25) or (
                change <= _ROUNDING and change <= _FAST * last):
            status = SOLVED if sign == first_sign else OTHER_BRANCH
            work.sign = sign
            break
        if not change < 1e6:
            break
        last = change
    if status != SOLVED:
        for row in range(model.n):
            work.q[row] = start[row]
    return status


@also(SPARSE_MODEL, SPARSE_WORK)
@separate(MODEL, WORK)
def follow_position(model, work):
    """Move work.q continuously, along solutions, until q[independent] = work.z.

    Predicts along R, corrects by Newton, and shortens the step where the two disagree or where a
    singular position was crossed, behind which more than one branch goes on: so it cannot leave the
    branch unnoticed.  Returns (status, done): done is 1.0 if it arrived, else the
    share of the move up to which the mechanism closes; work.q is there, work.z too.
    work.q must satisfy the constraints at the start, of any time: prescribed coordinates go to
    where they are at work.t.
    """
    _drive(model, work)
    begin, change, target = work.z_begin, work.z_change, work.z_target
    predicted = work.q_predicted
    longest = 0.0
    for k in range(model.g):
        coordinate = model.independent[k]
        begin[k], target[k] = work.q[coordinate], work.z[k]
        change[k] = work.z[k] - begin[k]
        longest = max(longest, abs(change[k]) / model.scale[coordinate])
    for k in range(model.driven):
        longest = max(longest, abs(work.qd[model.n_total - model.driven + k])
                      / model.scale[model.driven_coordinate[k]])
    step, done, status, branch = 1.0, 0.0, SOLVED, 0.0
    if longest > _LONGEST_STEP:
        step = _LONGEST_STEP / longest
    longest_step = step
    # So far away, or at no number, it would not arrive: readings may be anything
    within_reach = longest <= _MOST_STEPS * _LONGEST_STEP
    for _ in range(_MOST_STEPS if within_reach else 0):
        sign = prepare_velocity(model, work)
        if sign == 0.0:
            status = SINGULAR
            break
        if branch == 0.0:
            branch = sign
        step = min(step, longest_step)
        last = done + step > 1.0 - _SHORTEST_STEP
        if last:
            step = 1.0 - done
        apply_r(model, work, change, work.dq)
        if model.driven > 0:
            add_driven_velocities(model, work, work.dq)
        move = _move(model, work, step)
        for row in range(model.n):
            predicted[row] = work.q[row]
        for k in range(model.g):
            work.z[k] = target[k] if last else begin[k] + (done + step) * change[k]
        for row in range(model.n_total - model.driven, model.n_total):
            work.q[row] = work.qdd[row] + (1.0 if last else done + step) * work.qd[row]
        status = solve_position(model, work)
        correction = 0.0
        for row in range(model.n):
            correction = max(correction, abs(work.q[row] - predicted[row]) / model.scale[row])
        allowed = max(_LARGEST_CORRECTION * move, _LEAST_CORRECTION)
        if status == SOLVED and correction <= allowed and work.sign == branch:
            if last:
                set_time(model, work, work.t)
                return SOLVED, 1.0
            done += step
            step *= 2.0
        else:
            for row in range(model.n):
                work.q[row] = predicted[row]
            _move(model, work, -step)
            step *= 0.5
            if step < _SHORTEST_STEP:
                if status == SOLVED:
                    status = OTHER_BRANCH
                break
    else:
        status = NOT_CONVERGED
    for k in range(model.g):
        work.z[k] = work.q[model.independent[k]]
    set_time(model, work, work.t)
    return status, done


@kernel
def _longest_move(model, work):
    """Return the largest move to work.z of a coordinate, in radians or sizes of the mechanism."""
    largest = 0.0
    for k in range(model.g):
        coordinate = model.independent[k]
        largest = max(largest, abs(work.z[k] - work.q[coordinate]) / model.scale[coordinate])
    for k in range(model.driven):
        coordinate = model.driven_coordinate[k]
        change = work.q[model.n_total - model.driven + k] - work.q[coordinate]
        largest = max(largest, abs(change) / model.scale[coordinate])
    return largest


@kernel
def reach_position(model, work):
    """Bring a solved work.q to q[independent] = work.z, and to where others are prescribed.

    Small moves are solved for at once; larger ones, and ones that fail so, are followed.  Returns
    whether there is such a position on its branch; if not, work.q and work.z are where the path
    to it ends.
    """
    return ((_longest_move(model, work) < SMALL and solve_position(model, work) == SOLVED)
            or follow_position(model, work)[0] == SOLVED)
