"""The IFToMM benchmark A02: a mechanism that passes singular positions at full speed."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from mb_model import load_mechanism, simulate
from mb_model.kernels import entry_points


def windows(count):
    """Return the benchmark with `count` windows."""
    return load_mechanism('n_four_bar').replace(parameters={'windows': count})


@pytest.mark.parametrize(('count', 'drift'), [(2, 0.01), (40, 0.1)])
def test_the_windows_stay_parallel_and_keep_their_energy(count, drift):
    """The benchmark, which has 40 windows, allows 0.1 J."""
    mechanism = windows(count)
    run = simulate(mechanism, 10.0, 1e-3, 'index3_al')
    work, energies = mechanism.workspace(), []
    for q, qd in zip(run.q[::10], run.qd[::10], strict=True):
        work['q'][0, :mechanism.n], work['qd'][0, :mechanism.n] = q, qd
        energies.append(sum(entry_points.energies(mechanism.model, work)))
    assert np.ptp(energies) < drift
    assert (run.z[-1, 0] - run.z[0, 0]) / np.pi < -9.0    # ten singular positions behind it
    for k in range(count + 1):
        place = run.q[:, 2 * k:2 * k + 2] - [k, 0.0]
        np.testing.assert_allclose(place, run.q[:, :2], atol=1e-5)


def test_the_rods_turn_like_one_of_their_common_inertia():
    """N + 1 rods (1/3 each, weight at half length), N bars that only translate."""
    mechanism = windows(2)
    run = simulate(mechanism, 3.0, 2.5e-4, 'index3_al')
    inertia, moment = 3 / 3 + 2, (3 * 0.5 + 2) * 9.81
    solution = solve_ivp(lambda t, x: [x[1], -moment / inertia * np.cos(x[0])], (0.0, 3.0),
                         [np.pi / 2, -1.0], 'DOP853', rtol=1e-12, atol=1e-12)
    assert run.z[-1, 0] == pytest.approx(solution.y[0, -1], abs=1e-3)
