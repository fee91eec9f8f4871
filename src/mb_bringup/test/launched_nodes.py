"""The nodes of a launch file, made in this process instead of launched, for a look at topics."""

from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
import re
import subprocess
import time
from unittest.mock import patch

from launch import LaunchContext
from launch.actions import ExecuteProcess
from launch.utilities import perform_substitutions
from launch_ros.actions import Node
import rclpy

from mb_bringup import launched_run, viewers
from mb_bringup.launched_run import LaunchedRun
from mb_ros.compose import makers_of

LAUNCH_FILES = {file.name.partition('.')[0]: file for file in sorted(
    (Path(__file__).parents[1] / 'launch').glob('*.launch.py'))}
QUEUES = '--qos-profile-overrides-path'         # option of recorder and player
PLAYER, WAIT = 'rosbag2_player', 30.0           # [s]


@dataclass
class Launched:
    """What a launch file starts.

    nodes: {name: its words, as compose takes them}; recorder, player: their commands, if there are
    any.
    """

    nodes: dict = field(default_factory=dict)
    recorder: list = field(default_factory=list)
    player: list = field(default_factory=list)

    @property
    def mechanisms(self):
        """Names and files of the mechanisms that nodes are given."""
        words = [word for one in self.nodes.values() for word in one]
        return {word.partition(':=')[2].strip("'") for word in words if word.startswith(
            'mechanism:=')}


def launched(file, **given):
    """Return what a launch file starts by some arguments, the others at their defaults."""
    spec = spec_from_file_location(file, LAUNCH_FILES[file])
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    context, found = LaunchContext(), Launched()
    context.launch_configurations.update(
        {name: one.default for name, one in module.ARGUMENTS.items()} | given)
    part, node = launched_run.part, LaunchedRun.node

    def noted_part(package, executable, name, *rest):
        return found.nodes.setdefault(name, part(package, executable, name, *rest))

    def noted_node(run, package, executable, parameters, **options):
        noted_part(package, executable, options.get('name', executable), run._config,
                   {**run._common, **parameters})
        return node(run, package, executable, parameters, **options)

    with (patch.object(launched_run, 'part', noted_part),
          patch.object(LaunchedRun, 'node', noted_node),
          patch.object(viewers, 'get_package_prefix', lambda package: '/')):    # of rviz
        actions = module.start_everything(context)
    for action in actions:
        if isinstance(action, ExecuteProcess) and not isinstance(action, Node):
            words = [perform_substitutions(context, word) for word in action.cmd]
            (found.player if 'play' in words else found.recorder).extend(words)
    return found


@dataclass(frozen=True)
class End:
    """A publisher or a subscription: its node, topic and type, and what it offers or asks for."""

    node: str
    topic: str
    type: str
    publishes: bool
    qos: object = field(compare=False)


@contextmanager
def running(found):
    """Give all Ends of the graph of what a launch file starts; nothing moves in it."""
    rclpy.init()
    nodes, player = [], None
    try:
        # Readers first: what others offer to their process, they would not subscribe to.
        for words in reversed(found.nodes.values()):
            make, = makers_of(words)
            nodes.append(make())
        if found.player:
            player = subprocess.Popen(found.player, stdout=subprocess.DEVNULL)
            _wait_for(nodes[0], played(found.player))
        yield [end for end in ends(nodes[0]) if end.node in {*found.nodes, PLAYER}]
    finally:
        if player:
            player.terminate()
            player.wait()
        for node in nodes:
            node.destroy_node()
        rclpy.shutdown()


def ends(node):
    """Return all Ends that a node sees."""
    return [End(one.node_name, topic, one.topic_type, publishes, one.qos_profile)
            for topic, _ in node.get_topic_names_and_types()
            for publishes, ask in ((True, node.get_publishers_info_by_topic),
                                   (False, node.get_subscriptions_info_by_topic))
            for one in ask(topic)]


def option(command, name):
    """Return the words of an option of a command."""
    begin = command.index(name) + 1 if name in command else len(command)
    following = (k for k in range(begin, len(command)) if re.match('--', command[k]))
    return command[begin:next(following, len(command))]


def played(command):
    """Return the topics that a player publishes."""
    renamed = dict(one.split(':=') for one in option(command, '--remap'))
    return {renamed.get(topic, topic) for topic in option(command, '--topics')}


def _wait_for(node, topics):
    """Wait until the player publishes topics."""
    end = time.monotonic() + WAIT
    while not all(any(one.node_name == PLAYER for one in node.get_publishers_info_by_topic(topic))
                  for topic in topics):
        assert time.monotonic() < end, f'{PLAYER} does not publish {", ".join(sorted(topics))}'
        time.sleep(0.05)
