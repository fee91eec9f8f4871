"""Run a package specific executable."""
import argparse
import shlex
import signal
import subprocess

from ament_index_python import PackageNotFoundError

from ros2cli.verbs.pkg import get_executable_path


def add_arguments(parser):
    parser.add_argument('--prefix', help='Prefix command, which should go before the executable. '
                        "Command must be wrapped in quotes if it contains spaces "
                        "(e.g. --prefix 'gdb -ex run --args').")
    parser.add_argument('package_name', help='Name of the ROS package')
    parser.add_argument('executable_name', help='Name of the executable')
    parser.add_argument(
        'argv', nargs=argparse.REMAINDER, help='Pass arbitrary arguments to the executable'
    )


def main(args):
    try:
        path = get_executable_path(args.package_name, args.executable_name)
    except (PackageNotFoundError, ValueError):
        return f"Package '{args.package_name}' not found"
    if path is None:
        return 'No executable found'
    code = run([*shlex.split(args.prefix or ''), path, *args.argv])
    if code < 0:
        print('[ros2run]:', signal.strsignal(-code))
    elif code:
        print('[ros2run]: Process exited with failure', code)
    return code


def run(command):
    """Run a program to its end; Ctrl-C reaches it through the terminal, SIGTERM is passed on."""
    process = subprocess.Popen(command)
    signal.signal(signal.SIGTERM, lambda *_: process.terminate())
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:
            pass
