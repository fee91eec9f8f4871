"""Ball joints as chains of three joints, or of two that turn a line: none is ever singular.

Their frames are turned before a step if the middle joint has gone far; then their coordinates are 0
and their rates the relative angular velocity.
"""

from numba import boolean

from mb_model.jit import kernel
from mb_model.kernels.space_joints import pose_bodies
from mb_model.kernels.twists import turned
from mb_model.record import MODEL, WORK
from mb_model.record.sparse import SPARSE_MODEL, SPARSE_WORK
from mb_model.registry.spatial import IN_SPACE

_LARGEST = 0.5          # of the middle joint [rad]: at a quarter turn two axes are in line


@kernel
def _spread_turns(model, work):
    """Write the angular velocities of all frames to twist."""
    for k in range(model.joints):
        for row in range(3, 6):
            work.twist[k + 1, row] = (work.twist[model.joint_parent[k], row]
                                      + work.axis[k, row] * work.sd[k])


@kernel
def _column(k):
    return 1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0


@kernel
def _turned_back(matrix, v):
    """Return the transposed matrix (9) times v."""
    return (matrix[0] * v[0] + matrix[3] * v[1] + matrix[6] * v[2],
            matrix[1] * v[0] + matrix[4] * v[1] + matrix[7] * v[2],
            matrix[2] * v[0] + matrix[5] * v[1] + matrix[8] * v[2])


@kernel
def _turn_frame(model, work, first, last):
    """Turn the frame of the first joint of a ball so that its coordinates are 0 where it is.

    turn[first] follows from the pose of the last frame and the turns between them, at 0.
    """
    parent, pose = work.pose[model.joint_parent[first]], work.pose[last + 1]
    for column in range(3):
        axis = _column(column)
        for k in range(first + 1, last + 1):
            axis = _turned_back(work.turn[k], axis)
        axis = _turned_back(parent, turned(pose, axis))
        for row in range(3):
            work.turn[first, 3 * row + column] = axis[row]


@kernel
def _take_rates(model, work, first, last):
    """Write the rates of turns of joints from the angular velocity of the last frame, in twist.

    Their axes are perpendicular.  The angular velocities that they make are in twist_dot.
    """
    before = work.twist_dot[model.joint_parent[first]]
    for k in range(first, last + 1):
        axis, turns, rate = work.axis[k], 0.0, 0.0
        for row in range(3, 6):
            turns += axis[row] * axis[row]
            rate += axis[row] * (work.twist[last + 1, row] - before[row])
        if turns > 0.0:
            work.sd[k] = rate
        for row in range(3, 6):
            work.twist_dot[k + 1, row] = (work.twist_dot[model.joint_parent[k], row]
                                          + axis[row] * work.sd[k])


@IN_SPACE.separate(boolean, MODEL, WORK, later=(SPARSE_MODEL, SPARSE_WORK))
def follow_balls(model, work):
    """At s, sd: turn the frames of ball joints if one has gone far; return whether that was so.

    Poses stay.  A line that turns about itself no more takes that from what it carries: rates of
    turns are those between the new motions of their bodies.
    """
    far = False
    for b in range(model.balls):
        far = far or abs(work.s[model.ball_joint[b] + 1]) > _LARGEST
    if not far:
        return False
    pose_bodies(model, work)
    _spread_turns(model, work)
    for b in range(model.balls):
        first, last = model.ball_joint[b], model.ball_joint[b] + model.ball_turns[b] - 1
        _turn_frame(model, work, first, last)
        for k in range(first, last + 1):
            work.s[k] = 0.0
    pose_bodies(model, work)
    first, ball = 0, 0
    while first < model.joints:
        last = first
        if ball < model.balls and model.ball_joint[ball] == first:
            last += model.ball_turns[ball] - 1
            ball += 1
        _take_rates(model, work, first, last)
        first = last + 1
    return True
