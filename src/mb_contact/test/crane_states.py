"""States of the crane with known loads, and the oil pressures that belong to them."""

from functools import cache

import numpy as np

from mb_model import load_mechanism

MS = 1_000_000            # [ns]
START = 1_000_000_000     # stamp of the first state [ns]
P2 = 2.5e6                # pressure on the rod side [Pa]


@cache
def crane(load=50.0):
    """Return the crane with a load [kg]."""
    return load_mechanism('crane').replace(parameters={'load': load})


def pressures(mechanism, z, zd, zdd, friction=1.0):
    """Return p (k, 2) [Pa] with which the cylinder makes a motion (k).

    friction: of the cylinder, as a multiple of the file's.
    """
    circuit, out = mechanism.circuit, np.empty((len(z), 2))
    for row, (s, sd, sdd) in enumerate(zip(z, zd, zdd, strict=True)):
        needed = mechanism.inverse_dynamics([s], [sd], [sdd])[0]
        rate, p = np.array([sd]), np.array([5e6, P2])
        for _ in range(60):      # friction depends on the pressure, a little
            rubbing = friction * circuit.friction(p, rate)[0]
            made = circuit.force(p, rate)[0] + circuit.friction(p, rate)[0] - rubbing
            p[0] += (needed - made) / circuit.area[0]
        out[row] = p
    return out


def strokes(seconds, dt=0.001, period=4.0, amplitude=0.08):
    """Return t, z, zd, zdd (k, ...) of an arm that goes up and down without end."""
    t = dt * np.arange(round(seconds / dt))
    w = 2.0 * np.pi / period
    return (t, 0.9 + amplitude * np.sin(w * t), amplitude * w * np.cos(w * t),
            -amplitude * w * w * np.sin(w * t))


def stamps(t):
    """Return stamps [ns] of times t [s]."""
    return START + np.round(1e9 * np.asarray(t)).astype(np.int64)


def covariances(rows, z=1e-5, zd=1e-3, zdd=0.1, p=1e4, spool=1e-3):
    """Return covariances (rows, 6, 6) of z, zd, zdd, p, U from standard deviations."""
    return np.repeat(np.diag(np.square([z, zd, zdd, p, p, spool]))[None], rows, axis=0)
