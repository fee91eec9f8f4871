"""All watches over a filter: set up from the settings of its stream, they act on a RunState."""

from collections.abc import Callable, Collection, Mapping, Sequence

import numpy as np

from mb_estimators.filter import Doubting, Filter, Innovation, OfMechanism
from mb_estimators.filter.sensor_channels import SensorChannels
from mb_estimators.stream.stream_settings import StreamSettings
from mb_estimators.stream.stream_state import RunState
from mb_estimators.timeline import seconds
from mb_estimators.watches.gating import ENOUGH_IN_A_ROW, GatedFilter, GateSettings, GateState
from mb_estimators.watches.lost import LostWatch
from mb_estimators.watches.repeats import RepeatState, RepeatWatch, StuckState, StuckWatch
from mb_estimators.watches.trust import DivergenceState, DivergenceWatch, Trust, TrustState
from mb_estimators.watches.turns import TurnState, TurnWatch
from mb_sensors import Sensor

Readings = Mapping[str, Sequence[float]]        # of an instant, by sensor
Report = Callable[[str], object]

_FILTER = 'filter'       # whose doubts stand beside problems of sensors


class RunWatches:
    """The watches over the readings of a filter, and over its estimates.

    channels: of all sensors; gated: the GatedFilter that corrects; lost: LostWatch; turns:
    TurnWatch.  `run` is the RunState of the filter.
    """

    def __init__(self, estimator: Filter, sensors: Sequence[Sensor], settings: StreamSettings,
                 gates: Mapping[str, GateSettings]) -> None:
        """Set up for a Filter with its Sensors, StreamSettings and GateSettings by sensor.

        Raises FilterError.
        """
        self.channels, self._restarts = SensorChannels(sensors), settings.restart
        self.gated = GatedFilter(estimator, sensors, gates, settings.restart)
        mechanism = estimator.mechanism if isinstance(estimator, OfMechanism) else None
        self.lost = LostWatch(mechanism, sensors)
        self.turns = TurnWatch(mechanism, sensors)
        self._divergence = DivergenceWatch(settings.nis_bound, settings.nis_time)
        self._trust = Trust({sensor.name: sensor.settings.rate for sensor in sensors},
                            settings.distrust_time)
        self._repeats = RepeatWatch(sensors) if settings.leave_out_repeats else None
        self._stuck = StuckWatch(self.channels, settings.stuck_after)
        self._doubting = estimator if isinstance(estimator, Doubting) else None

    def begin(self, run: RunState) -> None:
        """Start with nothing noted."""
        run.trust, run.stuck = TrustState(), StuckState()
        run.repeats, run.turns = RepeatState(), TurnState()
        self.forget_innovations(run)

    def forget_innovations(self, run: RunState) -> None:
        """Forget innovations, for a filter that has gone back."""
        run.unused, run.gates, run.divergence = 0, GateState(), DivergenceState()
        run.lost = self.lost.new_state()

    def take_over(self, run: RunState) -> None:
        """Continue from the notes of watches with other settings."""
        run.gates = self.gated.of_gates(run.gates)
        if not self._stuck.watches:
            run.stuck = StuckState()
        if self._repeats is None:
            run.repeats = RepeatState()

    def moving(self, run: RunState, stamp: int, readings: Readings, report: Report) -> Readings:
        """Note the readings of an instant; return all that are no repeats and do not stick.

        The others are rejected.  Reports sensors that repeat themselves from now on.
        """
        run.trust.saw(stamp, readings)
        for name in readings:
            run.came[name] = run.came.get(name, 0) + 1
        if self._repeats is not None:
            readings = self._without_repeats(run, stamp, readings, report)
        if not self._stuck.watches:
            return readings
        moving = {}
        for name, values in readings.items():
            if self._stuck.sticks(run.stuck, name, values):
                self.leave_out(run, [name])
                run.trust.missed(stamp, name, 'sticks')
            else:
                moving[name] = values
        return moving

    def _without_repeats(self, run: RunState, stamp: int, readings: Readings,
                         report: Report) -> Readings:
        """Return the readings that do not repeat the ones before."""
        repeated, certain = self._repeats.look(run.repeats, readings)
        if certain:
            report(f'{", ".join(certain)}: frozen at {seconds(stamp)}: repeats itself exactly, '
                   'left out until it changes')
        if not repeated:
            return readings
        self.leave_out(run, repeated)
        for name in repeated:
            run.trust.missed(stamp, name, 'repeats itself exactly')
        return {name: values for name, values in readings.items() if name not in repeated}

    def with_unused(self, innovation: Innovation, names: Collection[str]) -> Innovation:
        """Return an Innovation with the channels of sensors that were left out before, too."""
        if not names:
            return innovation
        return innovation._replace(rejected=np.union1d(
            innovation.rejected, self.channels.of(names)).astype(np.int64))

    def check(self, run: RunState, stamp: int, innovation: Innovation, came: Readings,
              used: Readings) -> None:
        """Look at the Innovation of a stamp [ns].  Raises DivergenceError.

        came, used: readings by sensor, and the ones that the filter was given.
        """
        self.lost.saw(run.lost, stamp, innovation,
                      [name for name in came if name not in used] if len(used) < len(came) else ())
        self._divergence.check(run.divergence, stamp, innovation)

    def left_out(self, run: RunState, stamp: int, readings: Readings) -> Innovation:
        """Note readings of a stamp [ns] that were impossible together; return their Innovation."""
        nothing = np.empty(0)
        innovation = Innovation(nothing.astype(int), nothing, np.empty((0, 0)), 0.0,
                                self.channels.of(readings))
        self.lost.saw(run.lost, stamp, innovation)
        return innovation

    def leave_out(self, run: RunState, sensors: Collection[str]) -> None:
        """Count readings, one of each of some sensors, that are not used."""
        run.rejected += len(sensors)
        for name in sensors:
            run.left_out[name] = run.left_out.get(name, 0) + 1

    def gives_up(self, run: RunState, nothing: bool) -> bool:
        """Count instants in a row of which nothing is used; return whether to restart after them.
        """
        run.unused = run.unused + 1 if nothing else 0
        return self._restarts and run.unused >= ENOUGH_IN_A_ROW

    def judge(self, run: RunState, stamp: int, readings: Readings, innovation: Innovation,
              notes: Mapping[str, str], report: Report) -> None:
        """Note and report readings that were not used as they were sent, and stuck sensors.

        notes: treatment of readings by sensor, in words.
        """
        if not (len(innovation.rejected) or notes or self._stuck.watches):
            run.used += len(readings)
            return
        rejected: Sequence[str] = ()
        if len(innovation.rejected):
            left_out = self.channels.names(innovation.rejected)
            rejected = [name for name in readings if name in left_out]
            report(f'{", ".join(rejected)}: incredible reading at {seconds(stamp)}')
        for name, what in notes.items():
            report(f'{name}: incredible reading at {seconds(stamp)} was {what}')
        for name in (*rejected, *notes):
            run.trust.missed(stamp, name, 'has sent incredible readings')
            run.incredible[name] = run.incredible.get(name, 0) + 1
        if self._stuck.watches:
            for name in self._stuck.check(run.stuck, innovation):
                report(f'{name}: sticks at {seconds(stamp)}')
                run.trust.missed(stamp, name, 'sticks')
        self.leave_out(run, rejected)
        run.used += len(readings) - len(rejected)

    def doubt(self, run: RunState, stamp: int, report: Report) -> None:
        """Note the filter's own doubt of its last correction, if it has one; report a new one."""
        doubt = self._doubting.doubt if self._doubting is not None else ''
        if not doubt:
            return
        if not self._trust.holds(run.trust, stamp, _FILTER, doubt):
            report(f'{_FILTER} {doubt}, at {seconds(stamp)}')
        run.trust.missed(stamp, _FILTER, doubt)

    def distrust(self, run: RunState, stamp: int, off: Collection[str], lost: str) -> str:
        """Return why an estimate is not to be trusted, in words, empty if it is; see Trust."""
        return self._trust.problem(run.trust, stamp, off, run.divergence.alarmed, lost)
