"""The health of an estimation, for /diagnostics."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from mb_estimators.estimator_setup import EstimatorSetup
from mb_estimators.nodes.estimate_messages import estimated_numbers
from mb_estimators.stream.instant_run import INPUTS
from mb_estimators.stream.reading_delays import ReadingDelays
from mb_estimators.stream.reading_rates import ReadingRates
from mb_estimators.stream.step import Step
from mb_ros.diagnostics import ERROR, OK, STALE, WARN, Health, LastLook
from mb_sensors import SensorTopic


class EstimatorHealth:
    """Checks an EstimatorSetup periodically."""

    def __init__(self, setup: EstimatorSetup, topics: Iterable[SensorTopic] = ()) -> None:
        """Set up for an EstimatorSetup and the SensorTopics of its readings."""
        self._setup, self._topics = setup, list(topics)
        self.missing = self._missing_before = ''    # see SensorTopic.missing, at two looks
        self._delays = ReadingDelays([*(sensor.name for sensor in setup.sensors), INPUTS],
                                     setup.stream.behind)
        self._rates = ReadingRates({sensor.name: sensor.settings.rate for sensor in setup.sensors})
        self.sparse = ''                    # see ReadingRates.look
        self._last_lost = LastLook()        # readings left out or missing
        self.reset()

    def reset(self) -> None:
        """Forget the last Step, and what waits."""
        self._step: Step | None = None
        self._last_stamp = LastLook(None)
        self._delays.forget()
        self._rates.forget()

    def came(self, names: Sequence[str], stamp: int, arrival: int, steps: Sequence[Step]) -> None:
        """Note readings of a stamp that came at an arrival [ns], and the Steps they completed."""
        self._rates.saw(names, stamp)
        self._delays.saw(names, stamp, arrival, self._setup.stream.state.newest, steps)

    def saw(self, step: Step) -> None:
        """Note the last Step."""
        self._step = step

    def look(self) -> Health:
        """Return the present Health."""
        stream, state, values = self._setup.stream, self._setup.stream.state, self._values()
        missing = '; '.join(filter(None, (topic.missing for topic in self._topics)))
        self.missing = missing if missing == self._missing_before else ''
        self._missing_before = missing      # another publisher may have them
        self.sparse = self._rates.look()
        if state.diverged:
            return Health(ERROR, f'diverged: {state.diverged}', values)
        if state.lost:                      # also where all readings are impossible: no Step then
            return Health(ERROR, f'lost: {state.lost}', values)
        if self._step is None:
            return Health(STALE, self.missing or 'no readings yet', values)
        if self._last_stamp.stands_still(self._step.stamp):
            return Health(STALE, 'no new readings', values)
        if self._step.lost:
            return Health(ERROR, f'lost: {self._step.lost}', values)
        if self.missing:
            return Health(WARN, self.missing, values)
        if stream.silent:
            return Health(WARN, f'silent: {", ".join(stream.silent)}', values)
        if self._step.distrust:
            return Health(WARN, self._step.distrust, values)
        if beyond := self._beyond_limits(self._step):
            return Health(WARN, f'beyond limits: {beyond}', values)
        if self.sparse:
            return Health(WARN, self.sparse, values)
        counts = state.counts
        if self._last_lost.grown_by(counts.rejected + counts.late + state.missing) > 0:
            return Health(WARN, 'readings were left out or are missing', values)
        verdicts = self._verdicts()
        if verdicts:
            return Health(WARN, f'inconsistent: {verdicts}', values)
        if self._setup.reservation:
            return Health(WARN, self._setup.reservation, values)
        return Health(OK, 'estimating', values)

    def _beyond_limits(self, step: Step) -> str:
        """Return coordinates of an estimate that are surely beyond their limits, in words."""
        mechanism, estimate = self._setup.mechanism, step.estimate
        variances = estimate.covariance.diagonal()[:mechanism.g]
        return '; '.join(mechanism.beyond_limits(estimate.q, np.sqrt(variances)))

    def _verdicts(self) -> str:
        """Return inconsistencies in words, empty without any."""
        judgement = self._setup.window.judgement
        return ' | '.join(figures.verdict for figures in judgement if figures.verdict)

    def _values(self) -> dict[str, Any]:
        """Return the figures, by name."""
        state = self._setup.stream.state
        counts, off = state.counts, state.off
        values: dict[str, Any] = {
            'estimator': self._setup.settings.estimator, 'readings used': counts.used,
                  'readings rejected': counts.rejected, 'readings late': counts.late,
                  'readings missing': state.missing}
        if off or counts.ignored:
            values |= {'sensors switched off': ', '.join(off) or 'none',
                       'readings ignored': counts.ignored}
        values |= self._delays.look()
        for name, nis in self._setup.window.nis.items():
            values[f'{name} NIS'] = f'{nis:.3g}'
            if self._setup.gates[name].gate != 'off' or state.incredible[name]:
                values[f'{name} gated'] = state.incredible[name]
        if self._step is not None:
            estimate = self._step.estimate
            values |= {name: f'{value:.6g} +- {deviation:.2g}' for name, (value, deviation)
                       in estimated_numbers(estimate).items()}
            if estimate.force_probability is not None:
                values['sources explain the forces'] = f'p = {estimate.force_probability:.2g}'
            if estimate.hypotheses:
                values |= {f'probability of {name}': f'{chance:.3g}' for name, chance in zip(
                    estimate.hypotheses, estimate.hypothesis_probabilities, strict=True)}
            values['last estimate [s]'] = f'{self._step.stamp / 1e9:.3f}'
        values['consistency'] = self._verdicts() or 'consistent'
        remarks = [figures.remark for figures in self._setup.window.judgement if figures.remark]
        if remarks:
            values['caution'] = ' | '.join(remarks)
        if self._setup.undetermined:
            values['not determined'] = ', '.join(self._setup.undetermined)
        return values
