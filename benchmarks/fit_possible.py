"""Whether every fit ends with a possible machine: random starts, forces that no machine needs."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from benchmarks.figures import Figure
from benchmarks.fit_machines import SETTINGS, Machine, machine, mechanisms
from mb_estimators import DynamicsSamples, Fit, FitRecording, fit
from mb_model.arrays import FloatArray

MACHINES = 'planar arm of 3', 'spatial arm of 3', 'five-bar, closed', '3-RRR, closed'


def measure(seeds: Sequence[int] = range(125)) -> list[Figure]:
    """Fit each of MACHINES; seeds: of its file, 1/50 to 50 times as heavy, and of the forces."""
    every, figures = mechanisms(), []
    for name in MACHINES:
        one = machine(every[name], 0, duration=2.0)
        bad = sum(not _is_possible(_fit(one, seed)) for seed in seeds)
        figures.append(Figure(f'{name}: impossible results of {len(seeds)}', bad, '1', 0))
    return figures


def _fit(one: Machine, seed: int) -> Fit:
    """Return a fit to motions that excite little, and forces of wrong sign and much noise."""
    random = np.random.default_rng(seed)
    sizes = np.exp(random.uniform(-4.0, 4.0, len(one.believed.bodies)))
    believed = one.believed.replace(bodies={
        name: {'mass': body.mass * size, 'inertia': (size * np.asarray(_inertia(body))).tolist()}
        for (name, body), size in zip(one.believed.bodies.items(), sizes, strict=True)})
    motion, u = one.exact.motion, one.exact.torques
    slow = random.uniform(0.0, 1.0, 2)
    torques = (random.uniform(-1.0, 1.0) * u
               + 10.0 ** random.uniform(-3.0, 2.0) * random.standard_normal(u.shape))
    motion = replace(motion, zd=slow[0] * motion.zd, zdd=slow[1] * motion.zdd)
    return fit(believed, [], [FitRecording(DynamicsSamples(motion, torques))], settings=SETTINGS)


def _inertia(body: Any) -> float | list[float]:
    """Return the inertia of a body as its file has it."""
    inertia = body.inertia
    if np.ndim(inertia) == 0:
        return float(inertia)
    return [float(inertia[i, j]) for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]


def _is_possible(found: Fit) -> bool:
    """Return whether masses, inertias and friction are such as some machine has."""
    friction = all(value >= 0.0 for path, value in found.values.items() if 'friction' in path)
    return friction and all(body.mass > 0.0 and _has_spread(body.inertia)
                            for body in found.mechanism.bodies.values())


def _has_spread(inertia: FloatArray | float) -> bool:
    """Return whether an inertia about the centre of gravity is of some distribution of mass."""
    if np.ndim(inertia) == 0:
        return bool(inertia > 0.0)
    tensor = np.asarray(inertia)
    return bool(np.linalg.eigvalsh(0.5 * np.trace(tensor) * np.eye(3) - tensor)[0] > 0.0)
