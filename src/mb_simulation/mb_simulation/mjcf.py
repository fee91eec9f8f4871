"""Command `mjcf`: print a mechanism as MuJoCo's MJCF, to look at it in MuJoCo's own viewer."""

import argparse
import sys

from mb_model import load_mechanism
from mb_model.command_api import POSITIVE
from mb_simulation.prototypes.known_to_mujoco import simulated_tree
from mb_simulation.prototypes.mjcf import mujoco_spec


def main(arguments=None):
    """Exit with 0, or with 2 if the mechanism cannot be used."""
    parser = argparse.ArgumentParser(
        prog='mjcf', description='Print a mechanism as its prototype in MuJoCo has it, with '
        'six digits. View it with: python -m mujoco.viewer --mjcf=FILE. For other simulators, '
        'mb_import export --format mjcf writes it without rounding.')
    parser.add_argument('mechanism', help='name of a mechanism or path of its file')
    parser.add_argument('--step', type=POSITIVE, default=1e-3, help='time step [s] (%(default)s)')
    given = parser.parse_args(arguments)
    try:
        mechanism = load_mechanism(given.mechanism)
        spec = mujoco_spec(mechanism, simulated_tree(mechanism), given.step)
        spec.compile()
        print(spec.to_xml())
    except ValueError as error:
        print(error, file=sys.stderr)
        sys.exit(2)


if __name__ == '__main__':
    main()
