"""Messages of estimates, as an estimator publishes and `estimate_bag` writes them."""

from collections.abc import Callable
from math import nan
from typing import Any

from numpy.typing import ArrayLike
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
from mb_ros.stamps import set_stamp
from mb_ros.states import (
    ARRAYS,
    doubles,
    hydraulic_state,
    joint_state,
    mechanism_state,
    refilled,
)

Alike = tuple[Callable[[Estimate], list[ArrayLike]], Callable[..., Any]]


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
        self._joints = joint_state(0, setup.mechanism.coordinates, setup.mechanism.q0)
        self._status = EstimatorStatus(estimator=setup.settings.estimator)
        self._status.header.frame_id = setup.mechanism.name
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
        return self._state_of(at, *_of_state(e))

    def _state_of(self, at: int, *arrays: ArrayLike) -> MechanismState:
        return refilled(self._state, at, **dict(zip(ARRAYS, arrays, strict=True)))

    def joint_states(self, step: Step) -> JointState:
        """Return the JointState of all coordinates of a Step, each time the same message."""
        return self._joints_of(step.stamp, *_of_joints(step.estimate))

    def _joints_of(self, at: int, *arrays: ArrayLike) -> JointState:
        set_stamp(self._joints.header.stamp, at)
        self._joints.position, self._joints.velocity = map(doubles, arrays)
        return self._joints

    @property
    def alike(self) -> dict[str, Alike]:
        """The topics whose messages differ in their stamp and numbers alone.

        With the arrays of an Estimate that are in a message, and what makes a message of a stamp
        [ns] and these.
        """
        return {'state': (_of_state, self._state_of), 'joint_states': (_of_joints, self._joints_of)}

    def hydraulics(self, step: Step) -> HydraulicState | None:
        """Return the HydraulicState of a Step, None without oil."""
        oil = step.estimate.hydraulics
        return hydraulic_state(self._mechanism, step.stamp, *oil,
                               distrust=step.distrust) if oil else None

    def status(self, step: Step) -> EstimatorStatus | None:
        """Return the EstimatorStatus of a Step, with counts of readings; None: not due.

        Each time the same message, whose lists are written only where they change, see state_at.
        """
        if not self._setup.is_status_due(step.stamp):
            return None
        state, fit = self._setup.stream.state, step.innovation
        counts, estimate, message = state.counts, step.estimate, self._status
        chance, chances = estimate.force_probability, estimate.hypothesis_probabilities
        set_stamp(message.header.stamp, step.stamp)
        message.innovation, message.innovation_covariance = map(
            doubles, (fit.residual, fit.covariance.ravel()))
        message.nis, message.lost, message.step_time = fit.nis, step.lost, step.step_time
        message.force_probability = nan if chance is None else chance
        message.hypothesis_probabilities = doubles(() if chances is None else chances)
        consistency = self._consistency.latest()
        if message.consistency is not consistency:
            message.consistency = consistency
        for name, value in {
                'channels': [self._channels[i] for i in fit.channels],
                'undetermined': list(self._setup.undetermined),
                'parameters': [
                    ParameterEstimate(name=name, value=value, standard_deviation=deviation)
                    for name, (value, deviation) in parameters_of(estimate).items()],
                'hypotheses': list(estimate.hypotheses or ()),
                'readings_used': counts.used, 'readings_rejected': counts.rejected,
                'readings_late': counts.late, 'readings_missing': state.missing}.items():
            if getattr(message, name) != value:
                setattr(message, name, value)
        return message


def _of_state(e: Estimate) -> list[ArrayLike]:
    """Return the ARRAYS of a MechanismState."""
    forces = [() if one is None else one for one in (e.forces, e.force_deviations)]
    return [e.z, e.zd, e.zdd, e.q, e.qd, e.qdd, e.covariance, *forces]


def _of_joints(e: Estimate) -> list[ArrayLike]:
    """Return positions and velocities of a JointState."""
    return [e.q, e.qd]


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
