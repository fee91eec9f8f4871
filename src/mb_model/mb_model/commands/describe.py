"""Show what a mechanism is made of: bodies, joints, loops, coordinates, forces, sensors."""

import argparse
import sys

from mb_model.commands.exits import run_command


def main(argv=None):
    """Describe the mechanism named on the command line; return the exit code."""
    parser = argparse.ArgumentParser(prog='ros2 run mb_model describe', description=__doc__)
    parser.add_argument('mechanism', help='name of a mechanism or path of its file')
    return run_command(_describe, parser, argv)


def _describe(given):
    # Imports are here: help needs no kernels, which take long to import.
    from mb_model.checking import look_through
    findings = look_through(given.mechanism)
    if findings.mistakes:
        raise ValueError('\n'.join(findings.mistakes))
    from mb_model.commands.mechanism_parts import summary_of, tables_of
    from mb_model.commands.terminal import laid_out
    yield laid_out(summary_of(findings.mechanism))
    for one in tables_of(findings.mechanism):
        yield ''
        yield laid_out(one)


if __name__ == '__main__':
    sys.exit(main())
