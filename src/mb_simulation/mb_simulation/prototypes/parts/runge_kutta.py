"""Steps of the classical Runge-Kutta method of joints; another program gives accelerations."""

from mb_model.jit import kernel

# Weight of a stage's slopes in the step, and share of the step to which they lead the next stage.
STAGES = ((1.0, 0.5), (2.0, 0.5), (2.0, 1.0))


@kernel
def begin(state, x, v):
    """Note places x and rates v (j) where a step begins; state (4, j): these and sums of slopes."""
    for k in range(len(x)):
        state[0, k], state[1, k], state[2, k], state[3, k] = x[k], v[k], 0.0, 0.0


@kernel
def go_on(state, weight, h, x, v, a):
    """Add the slopes v, a of a stage to the sums; move x, v along them from begin, for h."""
    for k in range(len(x)):
        state[2, k] += weight * v[k]
        state[3, k] += weight * a[k]
        x[k] = state[0, k] + h * v[k]
        v[k] = state[1, k] + h * a[k]


@kernel
def finish(state, h, x, v, a):
    """Put x, v at the end of a step of h; v, a: the slopes of the last stage."""
    for k in range(len(x)):
        x[k] = state[0, k] + h / 6.0 * (state[2, k] + v[k])
        v[k] = state[1, k] + h / 6.0 * (state[3, k] + a[k])
