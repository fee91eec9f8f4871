"""All watches over a filter: set up from the settings of its stream, they act on a RunState."""

import numpy as np

from mb_estimators.filter import Doubting, Innovation, OfMechanism
from mb_estimators.timeline import seconds
from mb_estimators.watches.divergence import DivergenceState, DivergenceWatch
from mb_estimators.watches.gating import GatedFilter, GateState
from mb_estimators.watches.lost import LostWatch
from mb_estimators.watches.stuck import StuckState, StuckWatch
from mb_estimators.watches.trust import Trust, TrustState
from mb_estimators.watches.turns import TurnState, TurnWatch

_FILTER = 'filter'       # whose doubts stand beside problems of sensors


class Watches:
    """The watches over the readings of a filter, and over its estimates.

    places: each sensor's slice of the readings of all channels; gated: the GatedFilter that
    corrects; lost: LostWatch; turns: TurnWatch.  `run` is the RunState of the filter.
    """

    def __init__(self, estimator, sensors, settings, gates):
        """Set up for a Filter with its Sensors, StreamSettings and GateSettings by sensor.

        Raises FilterError.
        """
        self.places = _places(sensors)
        self.gated = GatedFilter(estimator, sensors, self.places, gates, settings.restart)
        mechanism = estimator.mechanism if isinstance(estimator, OfMechanism) else None
        self.lost = LostWatch(mechanism, sensors)
        self.turns = TurnWatch(mechanism, sensors)
        self._divergence = DivergenceWatch(settings.nis_bound, settings.nis_time)
        self._trust = Trust({sensor.name: sensor.settings.rate for sensor in sensors},
                            settings.distrust_time)
        self._stuck = StuckWatch(self.places, settings.stuck_after)
        self._doubting = estimator if isinstance(estimator, Doubting) else None

    def begin(self, run):
        """Start with nothing noted."""
        run.trust, run.stuck, run.turns = TrustState(), StuckState(), TurnState()
        self.forget_innovations(run)

    def forget_innovations(self, run):
        """Forget innovations, for a filter that has gone back."""
        run.impossible, run.gates, run.divergence = 0, GateState(), DivergenceState()
        run.lost = self.lost.new_state()

    def take_over(self, run):
        """Continue from the notes of watches with other settings."""
        run.gates = self.gated.of_gates(run.gates)
        if not self._stuck.watches:
            run.stuck = StuckState()

    def moving(self, run, stamp, readings):
        """Note the readings of an instant; return all that do not stick, the others rejected."""
        run.trust.saw(stamp, readings)
        for name in readings:
            run.came[name] = run.came.get(name, 0) + 1
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

    def check(self, run, stamp, innovation):
        """Look at the Innovation of a stamp [ns].  Raises DivergenceError."""
        self.lost.saw(run.lost, stamp, innovation)
        self._divergence.check(run.divergence, stamp, innovation)

    def left_out(self, run, stamp, readings):
        """Note readings of a stamp [ns] that were impossible together; return their Innovation."""
        innovation = self._nothing_but(readings)
        self.lost.saw(run.lost, stamp, innovation)
        return innovation

    def leave_out(self, run, sensors):
        """Count readings, one of each of some sensors, that are not used."""
        run.rejected += len(sensors)
        for name in sensors:
            run.left_out[name] = run.left_out.get(name, 0) + 1

    def judge(self, run, stamp, readings, innovation, notes, report):
        """Note and report readings that were not used as they were sent, and stuck sensors.

        notes: treatment of readings by sensor, in words.
        """
        if not (len(innovation.rejected) or notes or self._stuck.watches):
            run.used += len(readings)
            return
        rejected = ()
        if len(innovation.rejected):
            rejected = [name for name in readings if self._was_rejected(name, innovation)]
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

    def doubt(self, run, stamp, report):
        """Note the filter's own doubt of its last correction, if it has one; report a new one."""
        doubt = self._doubting.doubt if self._doubting is not None else ''
        if not doubt:
            return
        if not self._trust.holds(run.trust, stamp, _FILTER, doubt):
            report(f'{_FILTER} {doubt}, at {seconds(stamp)}')
        run.trust.missed(stamp, _FILTER, doubt)

    def distrust(self, run, stamp, switches, lost):
        """Return why an estimate is not to be trusted, in words, empty if it is; see Trust."""
        return self._trust.problem(run.trust, stamp, switches, run.divergence.alarmed, lost)

    def _was_rejected(self, sensor, innovation):
        """Return whether the filter left a reading of a sensor out."""
        place = self.places[sensor]
        return any(place.start <= channel < place.stop for channel in innovation.rejected)

    def with_left_out(self, innovation, names):
        """Return an Innovation with the channels of sensors that were left out before, too."""
        if not names:
            return innovation
        channels = self._nothing_but(names).rejected
        return innovation._replace(rejected=np.union1d(innovation.rejected, channels).astype(int))

    def _nothing_but(self, rejected):
        """Return the Innovation of readings by sensor that were all left out."""
        channels = [np.arange(place.start, place.stop) for name, place in self.places.items()
                    if name in rejected]
        nothing = np.empty(0)
        return Innovation(nothing.astype(int), nothing, np.empty((0, 0)), 0.0,
                          np.concatenate(channels) if channels else nothing.astype(int))


def _places(sensors):
    """Return each sensor's slice of the readings of all channels."""
    places, begin = {}, 0
    for sensor in sensors:
        places[sensor.name] = slice(begin, begin + len(sensor.channels))
        begin += len(sensor.channels)
    return places
