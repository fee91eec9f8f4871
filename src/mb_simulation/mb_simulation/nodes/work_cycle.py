"""The operator of a machine: plays a work cycle, or the commands of a bag, to a prototype."""

from dataclasses import dataclass
import time
from typing import Any

from rclpy.clock import Clock, ClockType
from sensor_msgs.msg import JointState

from mb_interfaces.msg import KnownCommands, MechanismParameters, ValveCommand
from mb_model import LATEST, Settings, load_mechanism, setting
from mb_ros.checked_stamps import NANOSECONDS
from mb_ros.confirmed_clock import ConfirmedClock
from mb_ros.diagnostics import OK, WARN, Diagnostics, Health
from mb_ros.guards import GuardedNode
from mb_ros.node_main import NodeMain
from mb_ros.parameters import declare_settings
from mb_ros.qos import LATCHED_QOS, STREAM_QOS
from mb_ros.stamps import from_seconds, stamp
from mb_ros.startup_barrier import WaitingLog
from mb_ros.states import doubles
from mb_simulation.played_commands import (
    COMMAND_TOPICS,
    DRIVES,
    FIELDS,
    KNOWN_COMMANDS,
    PARAMETERS,
    VALVES,
    Command,
    bag_commands,
    load_cycle,
    still_to_play,
)

TOPICS = {kind: topic for topic, kind in COMMAND_TOPICS.items()}
MESSAGES = {VALVES: ValveCommand, PARAMETERS: MechanismParameters, DRIVES: JointState}
LOOK_PERIOD = 0.01          # wall time between two looks at the time [s]
PAUSE = 0.3                 # wall time in which a second life gets the time [s]
NEVER = 2 ** 31 * NANOSECONDS - 1       # the last stamp that there is [ns]


@dataclass(frozen=True)
class WorkCycleSettings(Settings):
    """The commands to play, and when."""

    mechanism: str = setting('crane', help='Name of a mechanism or path of its file')
    cycle: str = setting('crane', help='CSV file with columns t [s], valves, parameters, drives; '
                         'or the name of one in mb_simulation/work_cycles')
    bag: str = setting('', help='Bag whose commands are played instead, the first one at the start')
    start_time: float = setting(1.0, unit='s', above=0.0, at_most=LATEST,
                                help='Stamp at which the cycle begins, of the first state')
    lead: float = setting(0.5, unit='s', above=0.0,
                          help='How far commands come ahead of their stamps')
    listeners: int = setting(1, at_least=1,
                             help='Subscribers of valve_command that the first command waits for; '
                                  'of other commands, it waits for one')


class WorkCycleNode(GuardedNode):
    """Publishes commands to valves, drives and parameters ahead of the time at which they act.

    On known_commands it says until when they are all there.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__('work_cycle', **options)
        self._settings = settings = declare_settings(self, WorkCycleSettings)
        try:
            self._commands = (bag_commands(settings.bag) if settings.bag else
                              load_cycle(settings.cycle, load_mechanism(settings.mechanism)))
        except OSError as error:
            raise ValueError(str(error)) from None
        self._start = from_seconds(settings.start_time)
        self._command_publishers = {
            kind: self.create_publisher(MESSAGES[kind], topic, STREAM_QOS)
            for kind, topic in TOPICS.items()}
        self._known_publisher = self.create_publisher(KnownCommands, KNOWN_COMMANDS, LATCHED_QOS)
        self._next, self._time = 0, ConfirmedClock(self)
        self._known, self._newest = 0, {}   # until when; topic -> stamp of the newest command [ns]
        self._waiting = WaitingLog(self)
        self._complete_since: float | None = None       # when all listeners were there [s]
        self._diagnostics = Diagnostics(self, self._health)
        self.create_timer(LOOK_PERIOD, self._play, clock=Clock(clock_type=ClockType.STEADY_TIME))

    def _play(self) -> None:
        """Publish every command that acts within the lead."""
        if self._next == len(self._commands):
            return
        if not self._next and not self._may_begin():
            return
        # The first commands are published before time begins, so that no node waits for them.
        passed = max(0, self._time.now() - self._start)
        if passed and not self._next:       # an earlier life has played the earlier ones
            self._commands = still_to_play(self._commands, passed)
        until = passed + from_seconds(self._settings.lead)
        while self._next < len(self._commands) and self._commands[self._next].offset <= until:
            self._publish(self._commands[self._next])
            self._next += 1
        done = self._next == len(self._commands)
        self._publish_known(NEVER if done else self._start + until)
        if done:
            self.get_logger().info(f'{self._next} commands played')

    def _may_begin(self) -> bool:
        """Return whether all listeners are there, and have been long enough to get the time."""
        missing = self._missing()
        if missing:
            self._waiting.update(missing)
            return False
        self._complete_since = self._complete_since or time.monotonic()
        return time.monotonic() - self._complete_since >= PAUSE

    def _missing(self) -> list[str]:
        """Return in words which listeners are not there yet."""
        reports = []
        for kind in {command.kind for command in self._commands}:
            publisher = self._command_publishers[kind]
            wanted = self._settings.listeners if kind == VALVES else 1
            missing = wanted - publisher.get_subscription_count()
            if missing > 0:
                topic = publisher.topic_name
                there = sorted(
                    one.node_name for one in self.get_subscriptions_info_by_topic(topic))
                reports.append(f'{missing} of {wanted} listeners of {topic.rsplit("/", 1)[-1]} '
                               f'(there are {", ".join(there) or "none"})')
        return sorted(reports)

    def _publish_known(self, known: int) -> None:
        """Say until when all commands have been published, if that is news [ns]."""
        if known == self._known:
            return
        self._known = known
        message = KnownCommands(topic=list(self._newest),
                                newest=[stamp(newest) for newest in self._newest.values()])
        message.header.stamp = stamp(known)
        self._known_publisher.publish(message)

    def _publish(self, command: Command) -> None:
        """Publish a Command with its stamp."""
        names, values = FIELDS[command.kind]
        message = MESSAGES[command.kind](
            **{names: list(command.names), values: doubles(command.values)})
        message.header.stamp = stamp(self._start + command.offset)
        self._command_publishers[command.kind].publish(message)
        self._newest[TOPICS[command.kind]] = self._start + command.offset

    def _health(self) -> Health:
        """Log how far the cycle is."""
        done = self._next == len(self._commands)
        others = self._time.others()
        doing = 'finished' if done else 'playing' if self._next else 'waiting'
        return Health(WARN if others else OK, others or doing, {
            'commands played': self._next, 'commands': len(self._commands),
            'steps of the clock not believed': self._time.denied})


main = NodeMain(WorkCycleNode)
