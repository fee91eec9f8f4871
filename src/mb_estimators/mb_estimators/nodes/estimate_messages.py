"""Messages of estimates, as an estimator publishes and `estimate_bag` writes them."""

from math import nan
from typing import Any

from sensor_msgs.msg import JointState

from mb_estimators.consistency.window import ConsistencyWindow
from mb_estimators.estimator_setup import EstimatorSetup
from mb_estimators.filter import Estimate
from mb_estimators.stream import Step
from mb_interfaces.msg import (
    EstimatorStatus,
    HydraulicState,
    MechanismState,
    ParameterEstimate,
    SensorConsistency,
)
from mb_ros.stamps import stamp
from mb_ros.states import doubles, hydraulic_state, joint_state, mechanism_state, refilled


class ConsistencyMessages:
    """The messages of a ConsistencyWindow, made anew only with its judgement."""

    def __init__(self, window: ConsistencyWindow) -> None:
        self._window = window
        self._judgement, self._messages = None, []

    def latest(self) -> list[SensorConsistency]:
        """Return a SensorConsistency message of every sensor."""
        if self._judgement is not self._window.judgement:
            self._judgement = self._window.judgement
            self._messages = [_message(figures) for figures in self._judgement]
        nis = self._window.nis
        for message in self._messages:
            message.nis = nis[message.sensor]
        return self._messages


def _message(figures):
    """Return the message of a SensorConsistency of the library."""
    return SensorConsistency(
        sensor=figures.sensor, count=figures.count, mean_nis=figures.nis,
        mean_nis_bound=figures.nis_bound, lasting=figures.lasting,
        lasting_bound=figures.lasting_bound, lasting_length=figures.lasting_length,
        offset=figures.offset, incredible=figures.incredible,
        consistent=figures.is_consistent, verdict=figures.verdict, remark=figures.remark)


class EstimateMessages:
    """Makes the messages of Steps of an EstimatorSetup."""

    types = {'state': MechanismState, 'joint_states': JointState, 'status': EstimatorStatus,
             'hydraulics': HydraulicState}      # by topic below the name of the node

    def __init__(self, setup: EstimatorSetup) -> None:
        """Set up for an EstimatorSetup."""
        self._setup, self._mechanism = setup, setup.mechanism
        self._channels = setup.channels
        self._state = mechanism_state(setup.mechanism, 0)
        self._consistency = ConsistencyMessages(setup.window)

    @property
    def topics(self) -> list[str]:
        """Names of the topics that this estimator has."""
        return [name for name in self.types if name != 'hydraulics' or self._setup.takes_commands]

    def of(self, topic: str, step: Step) -> Any:
        """Return the message of a Step for one of the topics, None where it has none."""
        return getattr(self, topic)(step)

    def state(self, step: Step) -> MechanismState:
        """Return the MechanismState of a Step."""
        return self.state_at(step.stamp, step.estimate)

    def state_at(self, at: int, e: Estimate) -> MechanismState:
        """Return the MechanismState of an Estimate of a stamp [ns], each time the same message.

        rclpy checks every name of a list that is written to a message.
        """
        forces, deviations = (() if one is None else one for one in (e.forces, e.force_deviations))
        return refilled(
            self._state, at, z=e.z, zd=e.zd, zdd=e.zdd, q=e.q, qd=e.qd, qdd=e.qdd,
            covariance=e.covariance, generalized_force=forces,
            generalized_force_deviation=deviations)

    def joint_states(self, step: Step) -> JointState:
        """Return the JointState of all coordinates of a Step."""
        return joint_state(step.stamp, self._mechanism.coordinates, step.estimate.q,
                           step.estimate.qd)

    def hydraulics(self, step: Step) -> HydraulicState | None:
        """Return the HydraulicState of a Step, None without oil."""
        oil = step.estimate.hydraulics
        return hydraulic_state(self._mechanism, step.stamp, *oil,
                               distrust=step.distrust) if oil else None

    def status(self, step: Step) -> EstimatorStatus | None:
        """Return the EstimatorStatus of a Step, with counts of readings; None: not due."""
        if not self._setup.is_status_due(step.stamp):
            return None
        state, fit = self._setup.stream.state, step.innovation
        counts, estimate = state.counts, step.estimate
        parameters, chance = parameters_of(estimate), estimate.force_probability
        chances = estimate.hypothesis_probabilities
        message = EstimatorStatus(
            estimator=self._setup.settings.estimator,
            channels=[self._channels[i] for i in fit.channels],
            innovation=doubles(fit.residual), innovation_covariance=doubles(fit.covariance.ravel()),
            nis=fit.nis, lost=step.lost, undetermined=list(self._setup.undetermined),
            consistency=self._consistency.latest(),
            parameters=[ParameterEstimate(name=name, value=value, standard_deviation=deviation)
                        for name, (value, deviation) in parameters.items()],
            force_probability=nan if chance is None else chance,
            hypotheses=list(estimate.hypotheses or ()),
            hypothesis_probabilities=doubles(
                () if chances is None else chances),
            readings_used=counts.used, readings_rejected=counts.rejected,
            readings_late=counts.late, readings_missing=state.missing, step_time=step.step_time)
        message.header.stamp = stamp(step.stamp)
        message.header.frame_id = self._mechanism.name
        return message


def parameters_of(estimate: Estimate) -> dict[str, tuple[float, float]]:
    """Return the parameters of an Estimate: name -> (value, standard deviation)."""
    return _with_deviations('', estimate.parameters, estimate.parameter_deviations)


def estimated_numbers(estimate: Estimate) -> dict[str, tuple[float, float]]:
    """Return all numbers in an Estimate but motion and forces: name -> (value, deviation)."""
    return _with_deviations('bias of ', estimate.biases, estimate.bias_deviations) | (
        _with_deviations('mounting of ', estimate.mountings, estimate.mounting_deviations)) | (
        _with_deviations('scale of ', estimate.scales, estimate.scale_deviations)) | (
        parameters_of(estimate))


def _with_deviations(prefix: str, values: dict[str, float] | None,
                     deviations: dict[str, float] | None) -> dict[str, tuple[float, float]]:
    """Return {prefix and name: (value, deviation)}, nothing for None."""
    return {prefix + name: (value, (deviations or {})[name])
            for name, value in (values or {}).items()}
