"""Estimate from the readings in a bag, as the node would, and write the estimates into a bag.

The parameters are the node's: from the same files, by the same names.  The same readings and
parameters give the same estimates as live, bit by bit.
"""

from argparse import ArgumentParser, Namespace
from array import array
from collections.abc import Iterator, Sequence
from pathlib import Path
import time
from typing import NamedTuple

import numpy as np

from mb_estimators.commands.node_parameters import add_node_arguments, given_parameters
from mb_estimators.commands.options import command_parser, run_command
from mb_estimators.consistency.sensor_consistency import left_out_text
from mb_estimators.estimator_setup import EstimatorSetup
from mb_estimators.nodes.estimate_writer import EstimateWriter
from mb_estimators.recording.bag import replay
from mb_model.command_api import FAILURE
from mb_model.file_api import COMPRESSIONS, STORAGES, new_bag
from mb_sensors import open_bag

_EXAMPLE = """
examples, with the parameters of the recorded run and with another filter, and without a run:
  ros2 run mb_estimators estimate_bag results/latest/bag --estimator ukf --output ukf
  ros2 run mb_estimators estimate_bag my_bag --mechanism my.yaml --sensors my_encoder \\
      --config my_tuning.yaml --set filter.acceleration_psd=0.1 --output again
"""
MOST_PROBLEMS = 10          # that are printed
WORTH_MENTION = 0.01        # share of the readings of a sensor that were left out
TYPES = ('ValveCommand', 'EstimatorStatus', 'SensorConsistency', 'ParameterEstimate',
         'HydraulicState')  # of mb_interfaces that are read or written, beside MechanismState


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return the exit code."""
    failures = []
    code = run_command(lambda given: _estimate(given, failures), _parser(), arguments)
    return code or (FAILURE if failures else 0)


def _parser() -> ArgumentParser:
    parser = command_parser('estimate_bag', __doc__, _EXAMPLE)
    parser.add_argument('bag', metavar='BAG', help='folder of a bag with readings')
    add_node_arguments(parser)
    parser.add_argument('--output', required=True, metavar='BAG', help='folder of the new bag')
    parser.add_argument('--storage', default='mcap', choices=STORAGES, help='(%(default)s)')
    parser.add_argument('--compression-mode', default='none', choices=COMPRESSIONS,
                        help='of the new bag, with zstd (%(default)s)')
    return parser


def _estimate(given: Namespace, failures: list[str]) -> Iterator[str]:
    """Yield lines of text about what is done; append to `failures` why no estimate can be right.

    That is where the filter gave up, or has not used a single reading of a sensor.
    """
    if Path(given.output).exists():
        raise FileExistsError(f'--output {given.output}: already exists')
    problems = []
    parameters = given_parameters(given)
    setup = EstimatorSetup(parameters.settings_of, problems.append)
    yield (f'{setup.settings.estimator} on {setup.mechanism.name} with '
           f'{", ".join(sensor.name for sensor in setup.sensors)}')
    begin = time.monotonic()
    damage = []
    with open_bag(given.bag, *TYPES, report=damage.append,
                  stamps=parameters.values.get('stamps')) as bag:
        written = _write(bag, setup, given, problems.append)
    yield from damage
    yield from problems[:MOST_PROBLEMS]
    if len(problems) > MOST_PROBLEMS:
        yield f'and {len(problems) - MOST_PROBLEMS} more such problems'
    state = setup.stream.state
    counts = state.counts
    yield (f'{written.count} estimates of {written.span:g} s in {time.monotonic() - begin:.2f} s; '
           f'readings used {counts.used}, rejected {counts.rejected}, late {counts.late}, missing '
           f'{state.missing}')
    if written.lost:
        yield (f'lost in {written.lost} of {written.count} estimates, first at '
               f'{1e-9 * written.first_lost:.3f} s: {written.why}')
    for name, (left_out, came) in state.left_out.items():
        if left_out == came or left_out > WORTH_MENTION * came:
            yield f'{name}: {left_out_text(left_out, came)}'
        if left_out == came > 1:
            failures.append(name)
    if setup.reservation:
        yield setup.reservation
    if state.diverged:
        failures.append(state.diverged)
        yield f'the filter has diverged: {state.diverged}'
    yield f'wrote {given.output}'


class _Written(NamedTuple):
    """How many instants there are, the time they span [s], and at how many the filter was lost.

    first_lost: stamp of the first of these [ns]; why: it was lost then.
    """

    count: int
    span: float
    lost: int
    first_lost: int
    why: str


def _write(bag, setup, given, report):
    """Write the estimates; return what was _Written."""
    instants = _Instants()
    with new_bag(given.output, given.storage, given.compression_mode, TYPES) as output:
        writer = EstimateWriter(setup, given.name, output)
        for arrival, steps in replay(bag, setup, report):
            for step in setup.judged(steps):
                instants.add(step.stamp, step.lost)
                writer.add(arrival, step)
        writer.flush()
    return instants.written()


class _Instants:
    """Counts instants, eight bytes each; estimates of late readings, which come again, once."""

    def __init__(self) -> None:
        self._known = array('q')        # stamps [ns]
        self._lost = array('q')         # of estimates that were lost when they first were
        self._first: tuple[int, str] | None = None      # of the lost: stamp [ns], why

    def add(self, stamp: int, lost: str) -> None:
        """Note the estimate of a stamp [ns]; lost: why it cannot be right, '' where it can."""
        self._known.append(stamp)
        if lost:
            self._lost.append(stamp)
            if self._first is None or stamp < self._first[0]:
                self._first = stamp, lost

    def written(self) -> _Written:
        """Return what was _Written."""
        stamps = np.unique(np.frombuffer(self._known, np.int64))
        first, why = self._first or (0, '')
        return _Written(
            len(stamps), 1e-9 * float(stamps[-1] - stamps[0]) if len(stamps) else 0.0,
            len(np.unique(np.frombuffer(self._lost, np.int64))), first, why)
