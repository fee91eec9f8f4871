"""Which noises the readings determine; what they do not determine stays as in the file."""

from dataclasses import replace
from itertools import combinations

import numpy as np

from mb_estimators.fitting.by_readings.noises import PLANT, Noises, said_of
from mb_estimators.fitting.by_readings.problem import ReadingProblem
from mb_estimators.fitting.by_readings.scoring import Scored, most_likely
from mb_estimators.fitting.by_readings.solution import Solution, solve

_OPEN = 1.0             # deviation of a logarithm of what is not determined: a factor of 7
_LIKELY = 1.92          # fall of the logarithm of the likelihood within 95 %
_TOGETHER = 0.9         # correlation of two noises that are known together
_SURE = 0.7             # deviation of the logarithm of each density of several
_SCAN = 0.25            # step of a logarithm, towards a bound


def determined(problem: ReadingProblem, noises: Noises, most: int
               ) -> tuple[Solution, dict[str, float], list[str]]:
    """Return the Solution of the noises that the readings determine.

    Also, name -> logarithm of the largest likely value, infinite where the file's is as likely as
    any, of the others, and notes on both.
    """
    solution = _of_each_degree(problem, solve(problem, noises, most), most)
    limits, notes, wide, passes = {}, [], set(), solution.passes
    while unclear := [k for k, name in enumerate(solution.scored.noises.names)
                      if solution.scored.deviations[k] > _OPEN and name not in wide]:
        scored = solution.scored
        k = max(unclear, key=lambda k: scored.deviations[k])
        name, limit = scored.noises.names[k], _limit(solution, k)
        if limit is None:           # at least the file's: known, but not well
            wide.add(name)
            continue
        limits[name], is_open = limit, np.isinf(limit)
        fixed = float(scored.noises.start[k] if is_open else scored.logarithms[k])
        value = said_of(name, fixed if is_open else limit, problem.sensors)
        notes.append(
            f'the readings do not determine {name}: {value:.3g}, as the file has it' if is_open
            else f'{name} is too small to be seen: {value:.3g} or less, which is taken')
        solution = solve(problem, scored.noises.fixed(name, fixed), most,
                         np.delete(scored.logarithms, k), solution)
        passes += solution.passes
    return replace(solution, passes=passes), limits, [*notes, *_together(solution.scored)]


def _of_each_degree(problem: ReadingProblem, solution: Solution, most: int) -> Solution:
    """Return the Solution with a density for each degree of freedom, if these are determined."""
    scored, g = solution.scored, problem.mechanism.g
    feels = any(part.path.felt.any() for part in solution.system.parts)
    if g == 1 or feels or scored.noises.names[:1] != (PLANT,):
        return solution
    noises = scored.noises.apart(problem.mechanism.independent, scored.logarithms)
    apart = most_likely(solution.system, noises, solution.system.all_counted, noises.start)
    gain = apart.likelihood.value - scored.likelihood.value
    if gain < _LIKELY * (g - 1) or apart.deviations[:g].max() > _SURE:
        return solution
    again = solve(problem, noises, most, apart.logarithms)
    return replace(again, passes=solution.passes + again.passes)


def _limit(solution: Solution, k: int) -> float | None:
    """Return the logarithm of the largest likely value of a noise whose smallest is none.

    Infinite if the file's value is as likely as any; None if that is too small to be likely.
    """
    scored, counted = solution.scored, solution.system.all_counted
    name, rest = scored.noises.names[k], np.delete(scored.logarithms, k)

    def is_likely(logarithm: float) -> bool:
        nonlocal rest
        other = most_likely(solution.system, scored.noises.fixed(name, logarithm), counted, rest)
        likely = scored.likelihood.value - other.likelihood.value < _LIKELY
        rest = other.logarithms if likely else rest     # the next one is not far
        return likely
    file, x = float(scored.noises.start[k]), float(scored.logarithms[k])
    if is_likely(file):
        return np.inf
    if file < x:
        return None
    while x + _SCAN < file and is_likely(x + _SCAN):
        x += _SCAN
    return x


def _together(scored: Scored) -> list[str]:
    """Return sentences about noises that are only known together."""
    correlation = scored.covariance / np.outer(scored.deviations, scored.deviations)
    return [f'{first} and {second} are hardly separable: the larger one is, the '
            f'{"larger" if correlation[i, j] > 0.0 else "smaller"} the other'
            for (i, first), (j, second) in combinations(enumerate(scored.noises.names), 2)
            if abs(correlation[i, j]) > _TOGETHER]
