"""A recording as one graph: a smoother's window passes over it and keeps everything."""

from contextlib import suppress

from mb_estimators.factor_graph.batch import solve
from mb_estimators.factor_graph.covariances import Covariances
from mb_estimators.factor_graph.most_likely import MostLikely
from mb_estimators.filter import ImpossibleReadingError
from mb_estimators.timeline import HeldInputs, predict_between
from mb_model.command_api import with_progress


def pass_over(smoother, recording, dt, progress=False, each=lambda: None):
    """Let the window of a MotionWindow pass over a Recording, which begins at the present.

    dt: longest step of the model [s]; progress: show a bar, if there is a terminal; each: called at
    every stamp.  Returns the Whole, and place of the instant in it -> its readings (channels).
    """
    whole, places = smoother.keep_all(), {}
    inputs, stamps = recording.inputs or HeldInputs(), recording.stamps.tolist()
    for k in with_progress(len(stamps), 'readings', progress):
        if k > 0:
            predict_between(smoother, stamps[k - 1], stamps[k], dt, inputs)
        with suppress(ImpossibleReadingError):
            smoother.correct(recording.readings[k])
        each()
        places[len(whole.instants) - 1] = recording.readings[k]
    return whole, places


def smooth_whole(smoother, recording, dt, iterations, progress=False):
    """Return the Estimates at the stamps of a Recording: as of a filter, and by all readings.

    The window passes over the recording as in pass_over; then the whole graph is solved from there.
    iterations: of that, the most.  Raises NotConvergedError where it needs more, DivergenceError.
    """
    passed = []
    (graph, values, instants, _), places = pass_over(
        smoother, recording, dt, progress, lambda: passed.append(smoother.estimate))
    solved = solve(MostLikely(graph, instant_names(instants)), values, iterations).values
    covariances = Covariances(graph, solved)
    return passed, [smoother.estimate_of(instants[place], solved.atVector(instants[place].key),
                                         covariances.of(instants[place].key))
                    for place in places]


def instant_names(instants):
    """Return key of each Instant -> when it is, as text."""
    return {instant.key: f't = {instant.time:.6g} s' for instant in instants}
