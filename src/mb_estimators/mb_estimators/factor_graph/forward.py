"""Forward dynamics by a factor graph: the motion from the start on."""

from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from mb_estimators.factor_graph.batch import solve
from mb_estimators.factor_graph.forward_chain import Chain
from mb_estimators.factor_graph.forward_steps import STEPS
from mb_estimators.filter import FilterError
from mb_estimators.filter.errors import in_full
from mb_estimators.papers import settings_as_in
from mb_model import STATE, Mechanism, Run, Settings, setting
from mb_model.command_api import with_progress

FIXED_LAG, BATCH = 'fixed_lag', 'batch'
KNOWN, MARGINALISED = 'known', 'marginalised'


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
    integration: str = setting(
        'trapezoidal', choices=('trapezoidal', 'euler'),
        help="Rule by which positions and velocities follow; Euler's is of first order")
    window: int = setting(
        3, at_least=2, at_most=10_000,
        help='Instants that are found together')
    oldest: str = setting(
        KNOWN, choices=(KNOWN, MARGINALISED),
        help='The oldest instant of a window: known, as it was found, or only as well as the '
             'instants before it say')
    integration_variance: float = setting(
        1e-2, above=0.0, help='Of the rule of integration')
    dynamics_variance: float = setting(
        1e-4, above=0.0, help='Of the equations of motion')
    equality_variance: float = setting(
        1e6, above=0.0, help='Of the change of coordinates in a step (independent coordinates)')
    iterations: int = setting(
        15, at_least=1, help='Of the optimiser, the most; a motion that needs more is an error')


def forward(mechanism: Mechanism, duration: float, dt: float, progress: bool = False,
            as_in: str = '', **settings: Any) -> Run:
    """Simulate a mechanism from its start by a factor graph; return a Run, its start included.

    duration, dt [s]; progress: say on stderr how far it is; as_in: a paper whose settings it has,
    see papers; settings: of ForwardSettings, that differ from these.
    With a fixed lag each instant is solved in the window in which it is the newest; in a batch all
    instants correct each other.
    Raises FilterError, SettingError (both ValueError), NotConvergedError if the optimiser does
    not converge within its iterations, DivergenceError.
    """
    chosen = ForwardSettings.from_mapping(settings_as_in(as_in, 'forward').settings | settings)
    if not (0.0 <= duration < np.inf and 0.0 < dt < np.inf):
        raise ValueError(f'duration {duration} must be >= 0 and dt {dt} > 0')
    mechanism = require_graph(mechanism)
    chain = Chain(mechanism, dt, chosen)
    window, nodes, steps = _Window(chain, chosen), [chain.start()], round(duration / dt)
    for _ in with_progress(steps, mechanism.name, progress):
        nodes.append(window.step())
    if chosen.method == BATCH and steps > 0:
        nodes = _all_together(chain, nodes, chosen.iterations)
    instants = [chain.instant(vector) for vector in nodes]
    states: dict[str, Any] = {
        name: np.array([instant[name] for instant in instants]) for name in STATE}
    return Run(mechanism, np.asarray(dt * np.arange(steps + 1), float), **states,
               forces=np.zeros((steps + 1, mechanism.g)),
               formulation=f'factor graph, {chosen.coordinates} coordinates',
               integrator=chosen.integration, settings=asdict(chosen))


def require_graph(mechanism: Mechanism) -> Mechanism:
    """Return a mechanism in the storage that factor graphs need; raises FilterError."""
    mechanism = in_full(mechanism, 'a factor graph')
    mechanism.require_masses('a factor graph')
    if mechanism.rolling:
        raise FilterError(f'{mechanism.file}: joints.{mechanism.rolling[0]}: factor graphs know no '
                          'bodies that roll')
    return mechanism


class _Window:
    """The last instants of a Chain, as a graph behind a known node."""

    def __init__(self, chain, settings):
        self._chain, self._length = chain, settings.window
        self._iterations = settings.iterations
        self._nodes = [chain.start()]
        self._steps = []
        self._key = 0
        self._marginalised = settings.oldest == MARGINALISED
        self._before = chain.known(0, self._nodes[0])

    def step(self):
        """Move the window on by a step; return its newest node."""
        self._key += 1
        self._steps.append(self._chain.step(self._key))
        self._nodes.append(self._chain.after(self._nodes[-1]))
        if len(self._nodes) > self._length:
            self._forget_oldest()
        self._nodes = _solved(self._chain, self._key - len(self._steps), self._nodes, self._steps,
                              self._iterations, self._before)
        self._chain.require_motion(*self._nodes[-2:], self._key)
        return self._nodes[-1]

    def _forget_oldest(self):
        """Take the oldest node out of the window; what it says of the next one stays."""
        a, step, first = self._nodes.pop(0), self._steps.pop(0), self._key - len(self._steps)
        if self._marginalised:
            self._before = self._chain.marginal(first, self._before, step, a, self._nodes[0])
        else:
            self._before = self._chain.known(first, self._nodes[0])


def _all_together(chain, nodes, iterations):
    """Return the nodes of the whole Chain, found at once from those given."""
    steps = [chain.step(key) for key in range(1, len(nodes))]
    nodes = _solved(chain, 0, nodes, steps, iterations, chain.known(0, nodes[0]))
    for key, (before, after) in enumerate(pairwise(nodes), 1):
        chain.require_motion(before, after, key)
    return nodes


def _solved(chain, first, nodes, steps, iterations, before):
    """Return nodes, found from guesses; first: the key of the first; before: what is known of it.
    """
    problem, values = chain.problem(first, nodes, (before, *steps))
    solved = solve(problem, values, iterations).values
    return [solved.atVector(first + k) for k in range(len(nodes))]
