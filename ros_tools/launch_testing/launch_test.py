"""Command `launch_test`."""
import argparse
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
import os
import sys

from ros2launch.api import print_arguments

from .loader import LoadTestsFromPythonModule
from .test_result import unittestResultsToXml
from .test_runner import LaunchTestRunner


def load_module(path):
    """Return a Python file as a module, known by the file's name without ending."""
    name = os.path.splitext(os.path.basename(path))[0]
    loader = SourceFileLoader(name, path)
    module = module_from_spec(spec_from_loader(name, loader))
    sys.modules[name] = module
    loader.exec_module(module)
    return module


def add_arguments(parser):
    parser.add_argument('launch_test_file', help='Path to the launch test.')
    parser.add_argument('-v', '--verbose', action='store_true', default=False,
                        help='Run with verbose output')
    parser.add_argument('-s', '--show-args', '--show-arguments', action='store_true',
                        help='Show arguments that may be given to the launch test.')
    parser.add_argument('--package-name', default=None, help='Name of the package the test is in. '
                        'Useful to aggregate xUnit reports.')
    parser.add_argument('--junit-xml', default=None, help='Path to write xUnit report to.')
    parser.add_argument('launch_arguments', nargs='*',
                        help="Arguments '<name>:=<value>' (for duplicates, last one wins)")


def report_name(args):
    stem = os.path.splitext(os.path.basename(args.launch_test_file))[0]
    return f'{args.package_name}.{stem}' if args.package_name else stem


def run(parser, args, test_runner_cls=LaunchTestRunner):
    """Run the tests of a file; return 0, or 1 if one failed."""
    if not os.path.isfile(args.launch_test_file):
        parser.error(f"Test file '{args.launch_test_file}' does not exist")
    args.launch_test_file = os.path.abspath(args.launch_test_file)
    try:
        module = load_module(args.launch_test_file)
        test_runs = LoadTestsFromPythonModule(module, name=f'{report_name(args)}.launch_tests')
        runner = test_runner_cls(test_runs=test_runs,
                                 launch_file_arguments=args.launch_arguments, debug=args.verbose)
        runner.validate()
        if args.show_args:
            print_arguments(test_runs[0].get_launch_description())
            return 0
        results = runner.run()
    except Exception as error:
        parser.error(str(error))
    if args.junit_xml:
        folder = os.path.dirname(os.path.abspath(args.junit_xml))
        os.makedirs(folder, exist_ok=True)
        unittestResultsToXml(name=report_name(args), test_results=results).write(
            args.junit_xml, encoding='utf-8', xml_declaration=True)
    return 0 if all(result.wasSuccessful() for result in results.values()) else 1


def main(argv=None, test_runner_cls=LaunchTestRunner):
    parser = argparse.ArgumentParser(prog='launch_test',
                                     description='Launch integration testing tool.')
    add_arguments(parser)
    code = run(parser, parser.parse_args(argv), test_runner_cls)
    # A test may go on in its thread although its processes have ended: do not wait for it.
    sys.stdout.flush()
    sys.stderr.flush()
    if threads_go_on():
        os._exit(code)
    return code


def threads_go_on():
    """Return whether a thread of the tests still runs."""
    import threading
    return any(thread.daemon and thread.name.startswith('launch_tests')
               for thread in threading.enumerate())


if __name__ == '__main__':
    sys.exit(main())
