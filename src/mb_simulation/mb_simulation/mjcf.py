"""Command `mjcf`: print a mechanism as MuJoCo's MJCF, to look at it in MuJoCo's own viewer."""

import argparse
import sys

from mb_model import load_mechanism
from mb_simulation.prototypes.mujoco_prototype import MujocoPrototype
from mb_simulation.prototypes.space.mjcf import write_spatial_mjcf


def main(arguments=None):
    """Exit with 0, or with 2 if the mechanism cannot be used."""
    parser = argparse.ArgumentParser(
        prog='mjcf', description='Print a mechanism as MJCF, the model format of MuJoCo. View it '
        'with: python -m mujoco.viewer --mjcf=FILE')
    parser.add_argument('mechanism', help='name of a mechanism or path of its file')
    parser.add_argument('--step', type=float, default=1e-3, help='time step [s] (%(default)s)')
    given = parser.parse_args(arguments)
    try:
        mechanism = load_mechanism(given.mechanism)
        if mechanism.dimension == 3:
            print(write_spatial_mjcf(mechanism, given.step))
        else:
            print(MujocoPrototype(mechanism, given.step, given.step).mjcf)
    except ValueError as error:
        print(error, file=sys.stderr)
        sys.exit(2)


if __name__ == '__main__':
    main()
