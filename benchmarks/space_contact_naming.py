"""Figures on which body was named in the benchmark of contacts in space, and how surely."""

from itertools import pairwise
import re

import numpy as np

from benchmarks.figures import Figure
from benchmarks.space_contact_bound import KNOWN, best_names
from benchmarks.space_contact_cases import CASES, machine

DIRECT = 'direct'                       # a method of the detector
WAIT = 0.02                             # after the detection [s]
TOGETHER = 0.85                         # probability of all that it may be
BINS = 0.0, 0.4, 0.6, 0.8, 0.95, 1.0    # of probabilities


def naming_figures(name, rows):
    """Return figures on which body was named."""
    figures = [Figure(f'{name}: named rightly {1e3 * WAIT:g} ms after the detection',
                      np.mean([row['named'] == row['true'] for row in rows]), '', 0.85,
                      at_least=True, peer='mean probability',
                      peer_value=np.mean([row['claimed'] for row in rows])),
               Figure(f'{name}: among the fewest that have {TOGETHER:g} together',
                      np.mean([row['true'] in row['possible'] for row in rows]), '',
                      peer='how many these are, mean',
                      peer_value=np.mean([len(row['possible']) for row in rows]))]
    figures += [Figure(f'{name}: named rightly by true forces and motion, {instants}',
                       np.mean([row['best'][instants] == row['true'] for row in rows]), '')
                for instants in rows[0]['best']]
    for kind in CASES[name].kinds:
        own = [row for row in rows if row['kind'] == kind]
        figures.append(Figure(f'{name}: {kind}: named rightly',
                              np.mean([row['named'] == row['true'] for row in own]), '',
                              peer='detected', peer_value=np.mean(
                                  [row['delays'][DIRECT] is not None for row in own])))
    figures += reliability_figures(name, rows)
    places = [row['place'] for row in rows if row['place'] is not None]
    return [*figures, Figure(f'{name}: error of the place on bodies named rightly, median',
                             1e3 * float(np.median(places)), 'mm')]


def reliability_figures(name, rows):
    """Return how often what was named with about a probability was right."""
    claimed = np.array([row['claimed'] for row in rows])
    right = np.array([row['named'] == row['true'] for row in rows])
    number, figures = np.digitize(claimed, BINS[1:-1]), []
    for k, (low, high) in enumerate(pairwise(BINS)):
        own = (number == k) & (claimed > 0.0)
        if own.any():
            figures.append(Figure(
                f'{name}: named with a probability from {low:g} to {high:g}, {own.sum()}: right',
                right[own].mean(), '', peer='mean probability', peer_value=claimed[own].mean()))
    return figures


def best_groups(name, collision):
    """Return {instants: group} of the best classifier; none beyond three degrees of freedom."""
    if machine(name).g > 3:
        return {}
    found = {}
    for label, instants in KNOWN.items():
        shares = grouped(best_names(machine(name), name, collision, instants).items())
        found[label] = shares[0][0] if shares else None
    return found


def grouped(probabilities):
    """Return (group, probability) of (bodies, probability), the likeliest first."""
    shares = {}
    for bodies, probability in probabilities:
        shares[group(bodies)] = shares.get(group(bodies), 0.0) + probability
    return sorted(shares.items(), key=lambda share: -share[1])


def group(bodies):
    """Return bodies, by one name what forces do not tell apart."""
    return tuple(re.sub('left|right|barrel', 'rod', body) for body in bodies)
