"""Readings and inputs of the bags of a FitRequest."""

from argparse import Namespace
from collections.abc import Iterator
from dataclasses import asdict, dataclass

from mb_estimators.commands.fit_request import FitRequest
from mb_estimators.commands.node_parameters import file_parameters
from mb_estimators.commands.options import fill_in, recorded_inputs
from mb_estimators.fitting.fit_settings import FitError
from mb_estimators.fitting.recorded import has_topic
from mb_estimators.recording.bag import read_recording
from mb_estimators.recording.input_topic import InputTopic, input_topic
from mb_estimators.recording.recording import Recording
from mb_model import Mechanism
from mb_sensors import NoiseSettings, Sensor, sensors_of


@dataclass(frozen=True)
class RecordedReadings:
    """A bag's Recording, its Sensors as its run had them, dt [s], and notes."""

    recording: Recording
    sensors: tuple[Sensor, ...]
    dt: float
    notes: tuple[str, ...]


def recorded_readings(request: FitRequest, of_oil: bool = False) -> Iterator[RecordedReadings]:
    """Yield what each bag has; raises OSError, ValueError where sensors of bags differ.

    of_oil: whether the inputs are commands of valves.
    """
    first = None
    for bag in request.bags:
        given = Namespace(**vars(request.options))
        fill_in(given, file_parameters(given, bag))
        sensors = tuple(sensor.with_settings(given.recorded.settings_of(
            NoiseSettings, f'{sensor.name}.', asdict(sensor.settings)))
            for sensor in sensors_of(request.mechanism, given.sensors))
        names = [sensor.name for sensor in sensors]
        if first not in (None, names):
            raise FitError(f'{bag}: sensors {", ".join(names)}, expected as of {request.bags[0]}: '
                           f'{", ".join(first)}; --sensors names them')
        first = names
        inputs, notes = ((_commands(request.mechanism), ()) if of_oil
                         else _inputs(request, given, bag))
        recording = read_recording(bag, sensors, given.truth, inputs, request.mechanism)
        if not len(recording.stamps):
            raise FitError(f'{bag}: no readings of {", ".join(names)}')
        yield RecordedReadings(recording, sensors, given.dt, notes)


def _commands(mechanism: Mechanism) -> InputTopic | None:
    """Return where commands of valves are, None where there are no valves."""
    circuit = mechanism.circuit
    return input_topic(mechanism, True) if circuit is not None and circuit.valves else None


def _inputs(request: FitRequest, given: Namespace,
            bag: str) -> tuple[InputTopic | None, tuple[str, ...]]:
    """Return where forces on the degrees of freedom are in a bag, and why they are nowhere."""
    mechanism, topic = request.mechanism, request.options.torques
    by_run = recorded_inputs(given, mechanism)
    if by_run or not has_topic(bag, topic):
        return by_run, ()
    strangers = [name for name in request.options.drives or mechanism.drives
                 if name not in mechanism.independent]
    if strangers:
        return None, (f'{bag}: forces on {topic} are not used: {", ".join(strangers)} are no '
                      'degrees of freedom',)
    return input_topic(mechanism, False, topic, request.options.torques_are or ''), ()
