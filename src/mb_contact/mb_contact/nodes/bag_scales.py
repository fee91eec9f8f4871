"""What weighs a bag: payloads as payload_estimator does, or a tool as tool_scales does."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import isfinite
from typing import Any, NamedTuple

from geometry_msgs.msg import InertiaStamped, WrenchStamped
from rich.table import Table

from mb_contact.nodes.payload_estimator import (
    PayloadNodeSettings,
    inertia_message,
    payload_message,
)
from mb_contact.nodes.tool_scales import ToolScalesSettings, edge_message, tool_stream
from mb_contact.payload.centred_load import CentredLoad, LoadWithCentre
from mb_contact.payload.motion import HYDRAULICS, Instant
from mb_contact.payload.payload_settings import PayloadSettings
from mb_contact.payload.payload_stream import PayloadStream, Weighed
from mb_contact.weighing.scales import Weighing
from mb_contact.weighing.tool_settings import ToolSettings
from mb_estimators import NORMAL_95
from mb_interfaces.msg import PayloadEstimate
from mb_model import load_mechanism
from mb_model.arrays import FloatArray
from mb_model.command_api import laid_out, table
from mb_model.file_api import GivenParameters


class Load(NamedTuple):
    """What was weighed from stamp to stamp [ns].

    event: with which it begins, empty for the first; mass (k), deviation (k) [kg]: as known at its
    end; count: instants that entered; held: instants that did not; reason: why most of these did
    not; doubted: instants that entered with a wider deviation, doubt: why most of these.
    """

    begin: int
    end: int
    event: str
    mass: FloatArray
    deviation: FloatArray
    count: int
    held: int
    reason: str
    doubted: int
    doubt: str

    @property
    def reasons(self) -> str:
        """How many instants were held or doubted, and why most of them, in words."""
        return '; '.join(f'{count} {what}: {why}' for count, what, why in (
            (self.held, 'held', self.reason), (self.doubted, 'doubted', self.doubt)) if count)


def loads_of(all_weighed: Iterable[Weighed]) -> list[Load]:
    """Return the Loads of what was Weighed, in its order."""
    groups = []
    for weighed in all_weighed:
        if weighed.payload.event or not groups:
            groups.append([])
        groups[-1].append(weighed)
    return [_load(group) for group in groups]


def _load(group: Sequence[Weighed]) -> Load:
    held, doubted = (Counter(one.payload.reason for one in group if one.payload.updating is entered
                             and (one.payload.reason or not entered))
                     for entered in (False, True))
    first, last = group[0], group[-1]
    return Load(first.stamp, last.stamp, first.payload.event, last.payload.mass,
                last.payload.deviation, sum(one.payload.updating for one in group),
                held.total(), _usual(held), doubted.total(), _usual(doubted))


def _usual(reasons: Counter[str]) -> str:
    return reasons.most_common(1)[0][0] if reasons else ''


class PayloadScales:
    """Weighs unknown masses as payload_estimator does, an engine of `bag_command`.

    With an unknown centre of gravity it reports the load by all instants.
    """

    node = 'payload_estimator'
    options = 'masses', 'pressures', 'torque_sensors', 'unknown_centre'
    settings = PayloadNodeSettings, PayloadSettings
    parts, problem = (), 'messages left out'

    def __init__(self, parameters: GivenParameters, report: Callable[[str], object]) -> None:
        """Set up by GivenParameters; report(words): of problems.  Raises ValueError."""
        self._report = report
        settings = parameters.settings_of(PayloadNodeSettings)
        weighing, mechanism = parameters.settings_of(PayloadSettings), load_mechanism(
            settings.mechanism)
        self.kinds: dict[str, type] = {'payload': PayloadEstimate}
        self._body, self._all = settings.unknown_centre, None
        if self._body:
            self.kinds['inertia'] = InertiaStamped
            self._all = LoadWithCentre(mechanism, self._body, weighing.unknown_forces)
        self._stream = PayloadStream(mechanism, settings.masses, weighing, settings.pressures,
                                     settings.torque_sensors, self._note, self._body)
        self.topics, self._weighed = self._stream.topics, []

    def _note(self, instant: Instant) -> None:
        """Note an Instant of the stream for a load by all of them."""
        if self._all is not None and not instant.distrust:
            self._all.add(instant.z, instant.zd, instant.zdd, instant.q, instant.p,
                          instant.covariance, instant.forces)

    def take(self, number: int, message: Any) -> Iterator[PayloadEstimate | InertiaStamped]:
        """Yield what the node would publish after a message of an input, by its number."""
        for weighed in self._stream.take(number, message, self._report):
            self._weighed.append(weighed)
            yield payload_message(self._stream.estimator.masses, weighed)
            if weighed.payload.load is not None:
                yield inertia_message(self._body, weighed)

    def lines(self, failures: list[str]) -> Iterator[str]:
        """Yield lines of text about the masses; append to `failures` why there are none."""
        if self._all is not None:
            yield from self._of_all(self._all.load(), failures)
            return
        stream, loads = self._stream, loads_of(self._weighed)
        yield laid_out(self._table(loads))
        yield (f'{len(self._weighed)} instants weighed, {stream.lost} without a partner, '
               f'{stream.rejected} messages rejected, {stream.jumped} whose stamp jumps')
        if not self._weighed:
            failures.append('nothing')
            yield self._why_nothing()
        elif not any(load.count for load in loads):
            failures.append('no mass')
            yield f'no mass: {loads[0].reason}'

    def _of_all(self, load: CentredLoad | None, failures: list[str]) -> Iterator[str]:
        """Yield lines of text about a load by all instants."""
        if load is None:
            failures.append('nothing')
            yield self._why_nothing()
            return
        rows = [(f'{self._body}: mass', load.mass, load.deviation, 'kg'),
                *((f'{self._body}: centre of gravity, {axis}', *numbers, 'm') for axis, *numbers in
                  zip('xyz', load.centre.tolist(), load.centre_deviation.tolist(), strict=False))]
        yield laid_out(table(('', 'value', '+- 95 %', 'unit'), [[
            (name, f'{value:.4f}', f'{NORMAL_95 * deviation:.4f}', unit) if isfinite(deviation) else
            (name, 'not determined', '', unit) for name, value, deviation, unit in rows]],
            words=(0, 3)))
        for text in load.sums:
            yield f'only known together: {text}'
        yield f'{load.instants} instants weighed as one load'

    def _why_nothing(self) -> str:
        names = [name for name, _ in self.topics]
        if HYDRAULICS in names:
            return f'nothing weighed: expected messages of the same stamps on {" and ".join(names)}'
        longest = self._stream.estimator.settings.longest_gap
        return (f'nothing weighed: expected messages on {", ".join(names)}, of sensors within '
                f'longest_gap ({longest:g} s) around each state')

    def _table(self, loads: Sequence[Load]) -> Table:
        """Return the loads, a group of rows of each."""
        return table(
            ('load', 'from [s]', 'to [s]', 'mass [kg]', '+- 95 % [kg]', 'instants', 'begins',
             'reasons'),
            [[(name, *_span(load), f'{load.mass[k]:.2f}', f'{NORMAL_95 * load.deviation[k]:.2f}',
               str(load.count), load.event, load.reasons)
              for k, name in enumerate(self._stream.estimator.masses)] for load in loads],
            words=(0, 6, 7))


class ToolScales:
    """Weighs a tool at its stop, by the engine of tool_scales; as PayloadScales weighs."""

    node, options = 'tool_scales', ('pressures',)
    settings = ToolScalesSettings, ToolSettings
    kinds = {'payload': PayloadEstimate, 'edge': WrenchStamped}
    parts, problem = (), 'messages left out'

    def __init__(self, parameters: GivenParameters, report: Callable[[str], object]) -> None:
        """Set up by GivenParameters; report(words): of problems.  Raises ValueError."""
        self._report = report
        self._tool = parameters.settings_of(ToolSettings)
        self._stream = tool_stream(parameters.settings_of(ToolScalesSettings), self._tool)
        self.topics, self._count, self._done = self._stream.topics, 0, []

    def take(self, number: int, message: Any) -> Iterator[PayloadEstimate | WrenchStamped]:
        """Yield what the node would publish after a message of an input, by its number."""
        for result in self._stream.take(number, message, self._report):
            if isinstance(result, Weighed):
                self._count += 1
                yield payload_message([self._tool.load], result)
            elif isinstance(result, Weighing):
                self._done.append(result)
            else:
                yield edge_message(self._tool.frame, result)

    def lines(self, failures: list[str]) -> Iterator[str]:
        """Yield lines of text about the weighings; append to `failures` why there are none."""
        stream, last = self._stream, self._stream.scales.running
        done = [*self._done, *([] if last is None else [last])]
        yield laid_out(table(
            ('tool', 'from [s]', 'to [s]', 'mass [kg]', '+- 95 % [kg]', 'by the file [kg]',
             'reason'),
            [[('empty' if one.empty else 'load', *_span(one), f'{one.net:.2f}',
               f'{NORMAL_95 * one.net_deviation:.2f}', f'{one.gross:.2f}', one.contradiction)
              for one in done]], words=(0, 6)))
        yield (f'{self._count} instants, {stream.lost} without a partner, {stream.rejected} '
               f'messages rejected, {stream.impossible} without a force at the edge')
        if not self._count:
            failures.append('nothing')
            yield ('nothing weighed: expected messages of the same stamps on '
                   f'{", ".join(name for name, _ in self.topics)}')
        elif not any(not one.empty for one in done):
            failures.append('no load')
            yield f'no load: {stream.scales.reason or "the tool was never found at its stop"}'


def _span(one: Load | Weighing) -> tuple[str, str]:
    """Return in seconds from when to when."""
    return f'{1e-9 * one.begin:.3f}', f'{1e-9 * one.end:.3f}'
