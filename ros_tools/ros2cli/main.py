"""Command line of `ros2`: finds the command and its verb, and loads nothing but these."""
import argparse
from contextlib import contextmanager
from importlib import import_module
import signal
import sys
import threading

from ros2cli.streams import discard_output, lost_output, set_up_streams

COMMANDS = {
    'bag': 'Various rosbag related sub-commands',
    'interface': 'Show information about ROS interfaces',
    'launch': 'Run a launch file',
    'lifecycle': 'Various lifecycle related sub-commands',
    'node': 'Various node related sub-commands',
    'param': 'Various param related sub-commands',
    'pkg': 'Various package related sub-commands',
    'run': 'Run a package specific executable',
    'service': 'Various service related sub-commands',
    'topic': 'Various topic related sub-commands',
}
MISSING = {'action', 'component', 'daemon', 'doctor', 'extensions', 'multicast', 'security', 'wtf',
           'bag burst', 'bag list', 'pkg create', 'service echo'}


def first_word(words):
    """The first argument that is no option, and what stands behind it."""
    for index, word in enumerate(words):
        if not word.startswith('-'):
            return word, words[index + 1:]
    return None, []


def fill_verb(parser, module, verb):
    """Give a parser the arguments of a verb, which has functions named for it or the module."""
    add = getattr(module, f'add_{verb}_arguments', None) or module.add_arguments
    add(parser)
    parser.set_defaults(main=getattr(module, f'run_{verb}', None) or module.main)


def fill_command(parser, command, words):
    """Give the parser of the chosen command its arguments and verbs."""
    module = import_module(f'ros2cli.verbs.{command}')
    verbs = getattr(module, 'VERBS', None)
    if verbs is None:
        fill_verb(parser, module, command)
        return
    children = parser.add_subparsers(
        title='Commands', metavar=f'Call `ros2 {command} <command> -h` for more detailed usage.')
    chosen, _ = first_word(words)
    for verb, description in verbs.items():
        child = children.add_parser(verb, help=description, description=description,
                                    formatter_class=argparse.RawDescriptionHelpFormatter)
        if verb == chosen:
            file = getattr(module, 'FILES', {}).get(verb, verb)
            fill_verb(child, import_module(f'{module.__name__}.{file}')
                      if hasattr(module, '__path__') else module, verb)


def build_parser(argv):
    """The parser, as far as these arguments need it, and the one whose help fits them."""
    parser = argparse.ArgumentParser(
        prog='ros2', description='ros2 is an extensible command-line tool for ROS 2.')
    parser.add_argument('--use-python-default-buffering', action='store_true',
                        help='do not force line buffering on stdout')
    children = parser.add_subparsers(
        title='Commands', metavar='Call `ros2 <command> -h` for more detailed usage.')
    chosen, words = first_word(argv)
    innermost = parser
    for command, description in COMMANDS.items():
        child = children.add_parser(command, help=description, description=description,
                                    formatter_class=argparse.RawDescriptionHelpFormatter)
        if command == chosen:
            fill_command(child, command, words)
            innermost = child
    return parser, innermost


@contextmanager
def ending_on_sigterm():
    """Let SIGTERM end a verb by SystemExit whatever it waits for, and leave it time to tidy up.

    Yields an Event that says whether it came: rclpy, which it shuts down, may fail before.
    """
    came = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield came
        return

    def end(number, _):
        signal.signal(number, signal.SIG_IGN)       # a second one is not to end the tidying up
        came.set()
        raise SystemExit(int(number))

    previous = signal.signal(signal.SIGTERM, end)   # rclpy's own handler calls it, too
    try:
        yield came
    finally:
        signal.signal(signal.SIGTERM, previous)


def is_shutdown(error):
    """Whether the error means that rclpy was shut down by SIGTERM."""
    executors = sys.modules.get('rclpy.executors')
    return bool(executors) and isinstance(error, executors.ExternalShutdownException)


def is_of_words(error):
    """Whether the error is of a word that is no name, or no YAML."""
    kinds = (('rclpy.exceptions', 'NameValidationException'), ('yaml', 'YAMLError'))
    return any(isinstance(error, getattr(sys.modules[module], name))
               for module, name in kinds if module in sys.modules)


def run(argv):
    """Parse the arguments and do what they say; the exit code or a text for stderr."""
    parser, innermost = build_parser(argv)
    args, unknown = parser.parse_known_args(argv)
    if unknown:
        parser.error(f'unrecognized arguments, or not part of ros_tools: {" ".join(unknown)}')
    if not args.use_python_default_buffering:
        sys.stdout.reconfigure(line_buffering=True)
    if not hasattr(args, 'main'):
        innermost.print_help()
        return 0
    args.parser = innermost
    return args.main(args)


def main(argv=None):
    """Run the command; return the exit code, or a text for stderr (exit code 1).

    argv: the words; by default of the process, whose standard streams are guarded, too.
    """
    if argv is not None:
        return ended(argv)
    set_up_streams()
    try:
        code = ended(sys.argv[1:])
    except SystemExit as end:       # of argparse, after help
        code = end.code
    try:
        return code or lost_output() or code
    except BrokenPipeError:         # as in `ros2 topic echo ... | head`
        discard_output()
        return 1


def ended(argv):
    """What main() returns."""
    command, words = first_word(argv)
    missing = {command, f'{command} {first_word(words)[0]}'} & MISSING
    if missing:
        return f'ros2 {missing.pop()} is not part of ros_tools'
    try:
        with ending_on_sigterm() as terminated:
            try:
                return run(argv)
            except Exception:
                if terminated.is_set():
                    return int(signal.SIGTERM)
                raise
    except KeyboardInterrupt:
        return int(signal.SIGINT)
    except (RuntimeError, NotImplementedError) as error:
        return str(error)
    except BrokenPipeError:
        discard_output()
        return 1
    except Exception as error:
        if is_shutdown(error):
            return int(signal.SIGTERM)
        if is_of_words(error):
            return ' '.join(str(error).split())
        raise


if __name__ == '__main__':
    sys.exit(main())
