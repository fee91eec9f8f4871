"""Forward dynamics by a factor graph: the motion from the start on, over a window of steps."""

from dataclasses import asdict, dataclass

import gtsam
import numpy as np

from mb_estimators.factor_graph import dependent_step, independent_step
from mb_estimators.factor_graph.factor import factor
from mb_estimators.factor_graph.nodes import DependentNode, IndependentNode
from mb_estimators.filter import DivergenceError, FilterError
from mb_model.record import MAX_COORDINATES
from mb_model.settings import Settings, setting
from mb_model.simulation.progress import with_progress
from mb_model.simulation.run import STATE, Run

_STEPS = {'dependent': (DependentNode, dependent_step),
          'independent': (IndependentNode, independent_step)}
_HARD = 1.0          # weight of a violated constraint in the error that the optimiser compares
_MISSED = 1e-6      # largest error of a constraint that a solution may leave [m, m/s, ...]


@dataclass(frozen=True)
class ForwardSettings(Settings):
    """How a motion is found by a factor graph; the variances weigh the factors.

    Source: Blanco-Claraco et al. 2021, Table 2.
    """

    coordinates: str = setting(
        'dependent', choices=tuple(_STEPS), help='Variables of the graph: all coordinates, or the '
        'degrees of freedom with all others tied to them')
    window: int = setting(
        3, at_least=2, help='Instants that are found together; the oldest of them is known')
    integration_variance: float = setting(
        1e-2, above=0.0, help='Of the trapezoidal rule')
    dynamics_variance: float = setting(
        1e-4, above=0.0, help='Of the equations of motion')
    equality_variance: float = setting(
        1e6, above=0.0, help='Of the change of coordinates in a step (independent coordinates)')
    iterations: int = setting(15, at_least=1, help='Of the optimiser, the most')


def forward(mechanism, duration, dt, progress=False, **settings):
    """Simulate a mechanism from its start by a factor graph; return a Run, its start included.

    duration, dt [s]; settings: of ForwardSettings; progress: show a bar, if there is a terminal.
    Each instant is what the window that it is the newest of makes of it.
    Raises FilterError, SettingError (both ValueError), DivergenceError.
    """
    chosen = ForwardSettings.from_mapping(settings)
    if not (0.0 <= duration < np.inf and 0.0 < dt < np.inf):
        raise ValueError(f'duration {duration} must be >= 0 and dt {dt} > 0')
    require_graph(mechanism)
    window = _Window(mechanism, dt, chosen)
    steps = round(duration / dt)
    run = Run(mechanism, dt * np.arange(steps + 1),
              *(np.empty((steps + 1, size)) for size in 3 * [mechanism.g] + 3 * [mechanism.n]),
              forces=np.zeros((steps + 1, mechanism.g)),
              formulation=f'factor graph, {chosen.coordinates} coordinates',
              integrator='trapezoidal', settings=asdict(chosen))
    _record(run, 0, window.newest)
    for k in with_progress(steps, mechanism.name, progress):
        _record(run, k + 1, window.step())
    return run


def require_graph(mechanism):
    """Raise FilterError for a mechanism that factor graphs are not offered for."""
    if mechanism.is_sparse:
        raise FilterError(f'{mechanism.file}: too large for a factor graph: at most '
                          f'{MAX_COORDINATES} coordinates are possible, those of fixed points '
                          'included')
    if mechanism.described.prescribed:
        names = ', '.join(mechanism.described.prescribed)
        raise FilterError(f'{mechanism.file}: {names}: factor graphs have no coordinates that are '
                          'prescribed over time')


class _Window:
    """The last instants of a motion, as a graph: a chain of steps behind a known node."""

    def __init__(self, mechanism, dt, settings):
        layout, self._kind = _STEPS[settings.coordinates]
        self._node = layout.of(mechanism)
        self._mechanism, self._dt, self._length = mechanism, dt, settings.window
        self._models, self._works = mechanism.model, mechanism.new_work()
        self._deviations = self._kind.deviations(mechanism, settings)
        self._noise = gtsam.noiseModel.Constrained.MixedSigmas(_HARD, self._deviations)
        self._known = gtsam.noiseModel.Constrained.All(self._node.size)
        self._parameters = gtsam.LevenbergMarquardtParams()
        self._parameters.setMaxIterations(settings.iterations)
        self._parameters.setRelativeErrorTol(1e-12)
        self._parameters.setAbsoluteErrorTol(1e-20)
        self._nodes = [self._start()]
        self._factors = []
        self._key = 0

    def _start(self):
        """Return the node of the start of the mechanism."""
        mechanism = self._mechanism
        z, zd = mechanism.z0, mechanism.zd0
        q = mechanism.assemble(z)
        qd = mechanism.velocity(q, zd)
        zdd = mechanism.forward_dynamics(z, zd)
        parts = {'z': z, 'zd': zd, 'zdd': zdd, 'q': q, 'qd': qd,
                 'qdd': mechanism.acceleration(q, qd, zdd)}
        vector = np.empty(self._node.size)
        for name, values in parts.items():
            begin = getattr(self._node, name, None)
            if begin is not None:
                vector[begin:begin + len(values)] = values
        return vector

    @property
    def newest(self):
        """The newest instant: name -> array, of STATE."""
        mechanism, node, vector = self._mechanism, self._node, self._nodes[-1]
        found = {name: vector[begin:begin + mechanism.n] for name, begin in
                 (('q', node.q), ('qd', node.qd), ('qdd', node.qdd))}
        independent = [mechanism.coordinates.index(name) for name in mechanism.independent]
        return found | {name: found[of][independent] for name, of in
                        (('z', 'q'), ('zd', 'qd'), ('zdd', 'qdd'))}

    def step(self):
        """Move the window on by a step; return `newest`."""
        self._key += 1
        self._factors.append(factor(
            self._noise, (self._key - 1, self._key), self._error, 2 * (self._node.size,)))
        self._nodes.append(self._guess())
        if len(self._nodes) > self._length:
            self._nodes.pop(0)
            self._factors.pop(0)
        oldest = self._key - len(self._nodes) + 1
        graph, values = gtsam.NonlinearFactorGraph(), gtsam.Values()
        graph.add(gtsam.PriorFactorVector(oldest, self._nodes[0], self._known))
        for k, vector in enumerate(self._nodes):
            values.insert(oldest + k, vector)
        for one in self._factors:
            graph.add(one)
        found = gtsam.LevenbergMarquardtOptimizer(graph, values, self._parameters).optimize()
        self._nodes = [found.atVector(oldest + k) for k in range(len(self._nodes))]
        self._require_closed()
        return self.newest

    def _error(self, a, b, e, J_a, J_b):
        return self._kind.evaluate(self._models, self._works, a, b, self._dt, e, J_a, J_b)

    def _guess(self):
        """Return a first guess of the next node: accelerations stay."""
        node, mechanism, h = self._node, self._mechanism, self._dt
        vector = self._nodes[-1].copy()
        chains = [(node.q, node.qd, node.qdd, mechanism.n)]
        if isinstance(node, IndependentNode):
            chains.append((node.z, node.zd, node.zdd, mechanism.g))
        for x, rate, second, size in chains:
            vector[x:x + size] += h * vector[rate:rate + size] + (
                0.5 * h * h * vector[second:second + size])
            vector[rate:rate + size] += h * vector[second:second + size]
        return vector

    def _require_closed(self):
        """Raise DivergenceError if the newest step is no solution."""
        a, b = self._nodes[-2:]
        e = np.zeros(len(self._deviations))
        jacobians = [np.zeros((len(e), self._node.size)) for _ in range(2)]
        solved = self._error(a, b, e, *jacobians)
        if not solved or not np.abs(e[self._deviations == 0.0]).max() < _MISSED:
            raise DivergenceError(f'no motion found at t = {self._key * self._dt:g} s')


def _record(run, k, instant):
    """Write an instant to row k of a Run."""
    for name in STATE:
        getattr(run, name)[k] = instant[name]
