"""Run the named benchmarks, those for filters (--review), or, without either, all others."""

import argparse
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
import sys

from benchmarks import __path__ as folder
from benchmarks.figures import write
from benchmarks.table import print_table

FRAME = ('__main__', 'adams_cases', 'cases', 'contact_cases', 'crane_cases', 'figures', 'table',
         'stopwatch', 'stolen_time', 'launched_run', 'relay_chain', 'round_trip_dds',
         'round_trip_rclpy', 'live_1khz_nodes', 'exudyn_model', 'excavator_cycle',
         'excavator_work', 'exudyn_spatial',
         'motor_torques', 'paper_platform_ekf', 'pinocchio_spatial', 'peer_tyre',
         'spatial_closed_forms', 'slender', 'exponential_picture', 'exponential_reference',
         'filterpy_filters', 'review_report', 'review_reference', 'real_data', 'real_pendulum_fit',
         'real_pendulum_run', 'real_pendulum_terms', 'real_pendulum_picture', 'real_pulses',
         'real_vehicle_fit', 'space_collisions',
         'space_contact_bound', 'space_contact_cases', 'space_contact_naming',
         'space_contact_obstacles')
REVIEW = ('review', 'multi_rate', 'five_bar', 'kinematic', 'parameters_found', 'coloured_noise',
          'adaptive', 'best_filter', 'smoothing', 'consistency', 'causes',     # take minutes
          'exponential_filters', 'space_filters', 'space_contact', 'space_live',
          'space_live_parts', 'excavator',
          'factor_graph_forward', 'factor_graph_inverse', 'factor_graph_estimation',
          'factor_graph_parameters', 'crane_payload', 'crane_wrong_models', 'crane_wrong_oil',
          'crane_wrong_parameters', 'crane_faults', 'crane_ripple', 'crane_unmodelled',
          'contact_detection',
          'contact_observers', 'contact_force', 'contact_false_positives', 'contact_latency',
          'contact_isolation', 'contact_clamping', 'live_1khz', 'ros_faults', 'ros_pace',
          'compile_time', 'first_estimate', 'first_minutes', 'real_double_pendulum',
          'real_friction', 'real_gains', 'real_limits', 'real_vehicle')
TIMED = ('drivers', 'live_1khz', 'ros_pace', 'space_contact')       # run for a time
LOADED = ('live_1khz',)                             # run beside busy loops, if asked for
OF_MACHINES = ('space_contact',)                     # of some of its machines, if asked for
CHOSEN = ('review',)                                # of some of its filters, if asked for
SEEDED = ('excavator', 'excavator_weighing', 'space_contact')       # noise and errors by seeds
COMPARED = ('compile_time', 'first_minutes')        # with another checkout, if there is one
TESTING = ('first_minutes',)                        # run all tests, too, if asked for
JUDGED = ('spatial_joints', 'real_double_pendulum', 'real_vehicle')     # by results in a folder


def main():
    """Measure, print a table and write results/<name>.json for each benchmark asked for.

    Returns 1 if one of JUDGED misses a target, else 0.
    """
    names = sorted(module.name for module in iter_modules(folder) if module.name not in FRAME)
    parser = argparse.ArgumentParser(prog='python -m benchmarks', description=__doc__)
    parser.add_argument('names', nargs='*', metavar='name', help=f'of {", ".join(names)}')
    parser.add_argument('--review', action='store_true', help=f'{", ".join(REVIEW)}')
    parser.add_argument('--seconds', type=float, help=f'how long {", ".join(TIMED)} run')
    parser.add_argument('--beside', type=int, default=0, metavar='COUNT',
                        help=f'how many busy loops run beside {", ".join(LOADED)}')
    parser.add_argument('--seeds', type=int, nargs='+', metavar='SEED',
                        help=f'of noise and errors of the sensors of {", ".join(SEEDED)}')
    parser.add_argument('--machines', nargs='+', metavar='NAME',
                        help=f'which machines {", ".join(OF_MACHINES)} measures')
    parser.add_argument('--filters', nargs='+', metavar='NAME',
                        help=f'which filters {", ".join(CHOSEN)} measures, all their variants')
    parser.add_argument('--against', metavar='FOLDER',
                        help=f'another checkout, set up, to compare {", ".join(COMPARED)} with')
    parser.add_argument('--tests', action='store_true',
                        help=f'{", ".join(TESTING)}: also time `make test` of a fresh clone')
    parser.add_argument('--judge', metavar='FOLDER',
                        help=f'where the results are that judge {", ".join(JUDGED)}; exit code 1 '
                             'where a limit is missed')
    given = parser.parse_args()
    asked = given.names + list(REVIEW if given.review else ()) or [
        name for name in names if name not in REVIEW]
    for name in asked:
        if name not in names:
            parser.error(f'{name}: unknown benchmark, expected one of {", ".join(names)}')
    if given.judge and not Path(given.judge).is_dir():
        parser.error(f'--judge {given.judge}: expected a folder')
    targets = []
    for name in asked:
        options = {'seconds': given.seconds} if given.seconds and name in TIMED else {}
        if given.beside and name in LOADED:
            options['beside'] = given.beside
        if given.seeds and name in SEEDED:
            options['seeds'] = given.seeds
        if given.machines and name in OF_MACHINES:
            options['machines'] = given.machines
        if given.filters and name in CHOSEN:
            options['filters'] = given.filters
        if given.against and name in COMPARED:
            options['against'] = given.against
        if given.tests and name in TESTING:
            options['tests'] = True
        if given.judge and name in JUDGED:
            options['judge'] = given.judge
        figures = import_module(f'benchmarks.{name}').measure(**options)
        label = f'{name}_beside_{options["beside"]}' if 'beside' in options else name
        print_table(label, figures)
        print(f'written to {write(label, figures)}\n', flush=True)
        targets += [(name, figure) for figure in figures if figure.target is not None]
    missed = [(name, figure.name) for name, figure in targets if not figure.met]
    print(f'{len(targets) - len(missed)} of {len(targets)} targets met'
          + ''.join(f'\n  missed: {name}: {figure}' for name, figure in missed))
    return int(any(name in JUDGED for name, _ in missed))


if __name__ == '__main__':
    sys.exit(main())
