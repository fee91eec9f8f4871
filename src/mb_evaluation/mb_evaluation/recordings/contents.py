"""What a bag has of a machine: states, readings of its sensors; what is missing, in words."""

from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any

from mb_estimators import EstimatorSettings
from mb_estimators.command_api import COMMAND_TYPE
from mb_evaluation.accuracy.recorded_states import MODEL, TRUTH
from mb_model import Mechanism
from mb_model.file_api import STATE_TYPE
from mb_sensors import Sensor, SensorTopic, open_bag, sensors_of

LOOKED_AT = 100     # messages of a topic, for which sensors it has, and for its first stamp
FAR = 3600 * 10 ** 9    # from the others of its topic: then a stamp is taken for damaged [ns]
ORIGIN = 'the first stamp in the bag'       # from which times in reports count
NO_ESTIMATE = TRUTH, MODEL
OF_OIL = 'hydraulic_kinematic_ekf'
PREDICTED = '/predicted'        # end of a topic of the present, which is estimated again later


def state_topics(bag: Any) -> list[str]:
    """Return the topics with estimated MechanismStates in a Bag."""
    return [topic for topic, kind in bag.kinds.items()
            if kind == STATE_TYPE and bag.count(topic) and topic not in NO_ESTIMATE
            and not topic.endswith(PREDICTED)]


def estimates_in(bag: Any, node: str) -> str | None:
    """Return the topic of the estimates of a node, or of the only ones in a Bag; None without any.

    Raises ValueError where several nodes, none of this name, have estimated.
    """
    topics, own = state_topics(bag), f'/{node.strip("/")}/state'
    if own in topics or len(topics) < 2:
        return own if own in topics else next(iter(topics), None)
    names = [topic.removesuffix('/state').removeprefix('/') for topic in topics]
    raise ValueError(f'no {own} in the bag, but {", ".join(topics)}: whose estimates? '
                     f'--name {" or --name ".join(names)}')


def origin_in(folder: str | Path, mechanism: Mechanism, stamps: str | None = None) -> int | None:
    """Return the first stamp [ns] of a reading or a state in a bag; None without any.

    Times in all reports of a recording count from it, whichever filter and sensors they are of.
    stamps: as in open_reader.
    """
    sensors = sensors_of(mechanism, list(mechanism.sensors)) if mechanism.sensors else []
    with open_bag(folder, stamps=stamps) as bag:
        topics = [topic for topic, kind in bag.kinds.items() if kind == STATE_TYPE]
        topics += [topic for sensor in sensors for topic in topics_of(bag, sensor)]
        looked_at = [_first_stamps(bag, topic) for topic in dict.fromkeys(topics)]
    return min((stamp for of_topic in looked_at for stamp in of_topic
                if abs(stamp - median(of_topic)) < FAR), default=None)


def _first_stamps(bag: Any, topic: str) -> list[int]:
    """Return the stamps [ns] of the first messages of a topic; none of stamps that are refused."""
    try:
        return [stamp for stamp, _ in islice(bag.of(topic), LOOKED_AT)]
    except ValueError:
        return []


def origin_line(origin: int) -> str:
    """Return in words what times count from; origin: its stamp [ns]."""
    seconds, rest = divmod(origin, 10 ** 9)
    return f'times count from {ORIGIN}, {seconds}.{rest:09d} s'


def mechanism_in(bag: Any) -> str | None:
    """Return the name of the mechanism that states in a Bag are of, None without any."""
    topics = [topic for topic, kind in bag.kinds.items() if kind == STATE_TYPE and bag.count(topic)]
    return next((state.mechanism for topic in topics for _, state in bag.of(topic)), None)


def sensors_in(bag: Any, mechanism: Mechanism) -> list[Sensor]:
    """Return the Sensors of a Mechanism that a Bag has readings of.

    Raises ValueError where there are none, or two topics are of one sensor.
    """
    sensors = sensors_of(mechanism, list(mechanism.sensors)) if mechanism.sensors else []
    there = [sensor for sensor in sensors if has_readings(bag, sensor)]
    if not there:
        expected: dict[str, list[str]] = {}
        for sensor in sensors:
            topic = f'{sensor.topic} ({SensorTopic([sensor]).message_type})'
            expected.setdefault(topic, []).append(sensor.name)
        topics = ', '.join(f'{topic} of {", ".join(names)}' for topic, names in expected.items())
        has = ', '.join(f'{topic} ({kind})' for topic, kind in bag.kinds.items()
                        if bag.count(topic))
        raise ValueError(f'no readings of {mechanism.name} in the bag: expected '
                         f'{topics or "sensors, of which its file has none"}, found '
                         f'{has or "no messages"}; the key `topic` of a sensor names its topic')
    return there


def filter_for(bag: Any, mechanism: Mechanism) -> str:
    """Return the name of a filter that takes what a Bag has: of oil, where it has commands."""
    of_oil = mechanism.circuit and any(
        kind == COMMAND_TYPE and bag.count(topic) for topic, kind in bag.kinds.items())
    return OF_OIL if of_oil else EstimatorSettings.estimator


def topics_of(bag: Any, sensor: Sensor) -> list[str]:
    """Return the topics of a Bag that may have readings of a Sensor, by their names and types."""
    kind = SensorTopic([sensor]).message_type
    return [name for name, other in bag.kinds.items() if other == kind and bag.count(name)
            and f'/{name}'.endswith(f'/{sensor.topic.lstrip("/")}')]


def has_readings(bag: Any, sensor: Sensor) -> bool:
    """Return whether the first messages on the topic of a Sensor have a reading of it."""
    topic = SensorTopic([sensor])
    if not topics_of(bag, sensor):
        return False
    messages = islice(bag.of(bag.named(sensor.topic, topic.message_type)), LOOKED_AT)
    return any(name == sensor.name and len(values)
               for _, message in messages for name, values in topic.readings(message))
