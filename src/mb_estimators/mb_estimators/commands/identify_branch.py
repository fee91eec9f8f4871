"""Find out from the readings in a bag on which branch a mechanism is assembled.

Its start is known but for that: with a factor graph for each branch, the probability of each.
"""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence

from mb_estimators.commands.options import (
    readings_text,
    recorded_run,
    recording_parser,
    run_command,
)
from mb_model.command_api import assigned, laid_out, table

_EXAMPLE = """
example:
  ros2 run mb_estimators identify_branch results/latest/bag --sensors crank_encoder coupler_gyro
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return the exit code."""
    return run_command(_identify, _parser(), arguments, 'no solution')


def _parser() -> ArgumentParser:
    return recording_parser(
        'identify_branch', __doc__, _EXAMPLE, 'of the search: certainty, least_fit, '
        'acceleration_psd, initial_variance, tries, most, iterations')


def _identify(given: Namespace) -> Iterator[str]:
    """Yield lines of text about the progress."""
    # Imported here: they import the kernels, which --help does not need.
    from mb_estimators.branch_identification import identify_branch
    from mb_estimators.filters.branch_filter import branch_names
    mechanism, sensors, recording = recorded_run(given)
    yield readings_text(recording)
    likely = identify_branch(mechanism, sensors, recording, given.dt, progress=True,
                             **assigned(given.settings, '--set'))
    yield laid_out(table(('branch', 'probability', 'log evidence', 'chance of such readings',
                          'starts at [SI]'), [[
        (str(k), f'{likely.probabilities[k]:.6g}', f'{likely.log_evidences[k]:.6g}',
         f'{likely.fits[k]:.2g}', start)
        for k, start in enumerate(branch_names(mechanism, likely.positions))]]))
    yield likely.why or f'branch {likely.branch}' + (
        ', as in the mechanism file' if likely.branch == 0 else '')
