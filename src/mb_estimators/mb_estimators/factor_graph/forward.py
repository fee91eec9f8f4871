"""Forward dynamics by a factor graph: the motion from the start on."""

from dataclasses import asdict, dataclass

import gtsam
import numpy as np

from mb_estimators.factor_graph.batch import solve
from mb_estimators.factor_graph.forward_chain import STEPS, Chain
from mb_estimators.filter import FilterError
from mb_model.record import MAX_COORDINATES
from mb_model.settings import Settings, setting
from mb_model.simulation.progress import with_progress
from mb_model.simulation.run import STATE, Run

FIXED_LAG, BATCH = 'fixed_lag', 'batch'
_ACCURACY = {'tolerance': 1e-6, 'damping': 1e-10}       # of the batch, which begins near


@dataclass(frozen=True)
class ForwardSettings(Settings):
    """How a motion is found by a factor graph; the variances weigh the factors.

    Source: Blanco-Claraco et al. 2021, Table 2.
    """

    coordinates: str = setting(
        'dependent', choices=tuple(STEPS), help='Variables of the graph: all coordinates, or the '
        'degrees of freedom with all others tied to them')
    method: str = setting(
        FIXED_LAG, choices=(FIXED_LAG, BATCH), help='Instants of a window, or, after those, all '
        'instants of the motion together')
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
    With a fixed lag each instant is what the window that it is the newest of makes of it; as a
    batch they are corrected by all others.
    Raises FilterError, SettingError (both ValueError), DivergenceError.
    """
    chosen = ForwardSettings.from_mapping(settings)
    if not (0.0 <= duration < np.inf and 0.0 < dt < np.inf):
        raise ValueError(f'duration {duration} must be >= 0 and dt {dt} > 0')
    require_graph(mechanism)
    chain = Chain(mechanism, dt, chosen)
    window, nodes, steps = _Window(chain, chosen), [chain.start()], round(duration / dt)
    for _ in with_progress(steps, mechanism.name, progress):
        nodes.append(window.step())
    if chosen.method == BATCH and steps > 0:
        nodes = _all_together(chain, nodes, chosen.iterations)
    instants = [chain.instant(vector) for vector in nodes]
    return Run(mechanism, dt * np.arange(steps + 1),
               **{name: np.array([instant[name] for instant in instants]) for name in STATE},
               forces=np.zeros((steps + 1, mechanism.g)),
               formulation=f'factor graph, {chosen.coordinates} coordinates',
               integrator='trapezoidal', settings=asdict(chosen))


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
    """The last instants of a Chain, as a graph behind a known node."""

    def __init__(self, chain, settings):
        self._chain, self._length = chain, settings.window
        self._parameters = gtsam.LevenbergMarquardtParams()
        self._parameters.setMaxIterations(settings.iterations)
        self._parameters.setRelativeErrorTol(1e-12)
        self._parameters.setAbsoluteErrorTol(1e-20)
        self._nodes = [chain.start()]
        self._steps = []
        self._key = 0

    def step(self):
        """Move the window on by a step; return its newest node."""
        self._key += 1
        self._steps.append(self._chain.step(self._key))
        self._nodes.append(self._chain.after(self._nodes[-1]))
        if len(self._nodes) > self._length:
            self._nodes.pop(0)
            self._steps.pop(0)
        oldest = self._key - len(self._steps)
        graph, values = self._chain.graph(oldest, self._nodes, self._steps)
        found = gtsam.LevenbergMarquardtOptimizer(graph, values, self._parameters).optimize()
        self._nodes = [found.atVector(oldest + k) for k in range(len(self._nodes))]
        self._chain.require_closed(*self._nodes[-2:], self._key)
        return self._nodes[-1]


def _all_together(chain, nodes, iterations):
    """Return the nodes of the whole Chain, found at once from those given."""
    graph, values = chain.graph(0, nodes, [chain.step(key) for key in range(1, len(nodes))])
    solved = solve(graph, values, iterations, **_ACCURACY)
    nodes = [solved.atVector(key) for key in range(len(nodes))]
    for key in range(1, len(nodes)):
        chain.require_closed(nodes[key - 1], nodes[key], key)
    return nodes
