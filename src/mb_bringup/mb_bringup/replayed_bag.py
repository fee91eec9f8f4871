"""What of a bag is played to an estimator, and with which parameters."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from launch.actions import ExecuteProcess

from mb_bringup.chosen_filter import check_filter, check_settings, reads_oil
from mb_bringup.onlookers import (
    QUEUE,
    ros2_command,
    with_launch,
    written_queues,
)
from mb_estimators import EstimatorSettings, input_topic
from mb_estimators.command_api import (
    COMMAND_TOPIC as TOPIC,
    COMMAND_TYPE,
    recorded_parameters,
)
from mb_evaluation.accuracy.recorded_states import ESTIMATE, TRUTH
from mb_model import load_mechanism
from mb_model.file_api import GivenParameters, read_parameters
from mb_sensors import by_topic, open_bag, sensors_of

NODE = 'estimator'
PAST = '/recorded'          # below which estimates come that were recorded
CLOCK, CLOCK_RATE = '/clock', 100       # [Hz], of the time of a bag that has no topic of it


class Replayed:
    """A bag to be replayed.

    parameters: of the estimator; topics: that are played; remapped: {topic: other name};
    has_clock: whether the time is among them; reference: topic of the states to compare with;
    has_truth: whether these are the truth.
    """

    def __init__(self, given: Mapping[str, str], withheld: Sequence[str] = ()) -> None:
        """Look into a bag; given: texts of the launch arguments.  Raises OSError, ValueError.

        withheld: sensors whose readings are played, but not to the estimator.
        """
        self._withheld = withheld
        self.bag = given['bag']
        if not Path(self.bag).exists():
            raise FileNotFoundError(f'bag: {self.bag}: no such bag')
        files = [one.strip() for one in given['config'].split(',') if one.strip()]
        self.parameters = read_parameters(files or recorded_parameters(self.bag), NODE)
        for name in ('mechanism', 'estimator'):
            if given[name]:
                self.parameters[name] = given[name]
        sensors = [name.strip() for name in given['sensors'].strip('[ ]').split(',')]
        if any(sensors):
            self.parameters['sensors'] = [name for name in sensors if name]
        if withheld:
            self.parameters['sensors'] = [
                name for name in self.parameters.get('sensors', ()) if name not in withheld]
        settings = GivenParameters(self.parameters).settings_of(EstimatorSettings)
        if not settings.sensors:
            raise ValueError(f'sensors: missing; expected as an argument, or {NODE}/sensors in the '
                             'config: the parameters of the recorded run lie beside its bag')
        self.parameters |= {'mechanism': settings.mechanism, 'estimator': settings.estimator,
                            'sensors': list(settings.sensors), 'use_sim_time': True}
        self.parameters['checkpoint'] = ''      # of the recorded run, if it had one
        # What the nodes of a run share would otherwise count.
        self.parameters.setdefault('start_time', 0.0)
        self.topics: list[str] = []
        self.remapped: dict[str, str] = {}
        with open_bag(self.bag, 'ValveCommand') as bag:
            self._choose(bag, settings, files)

    def _choose(self, bag: Any, settings: EstimatorSettings, files: Sequence[str]) -> None:
        """Choose what is played."""
        mechanism = load_mechanism(settings.mechanism)
        check_settings(files, mechanism, settings.estimator)
        sensors = sensors_of(mechanism, settings.sensors)
        check_filter(settings.estimator, mechanism, sensors, self.parameters)
        for name, topic in by_topic(sensors_of(mechanism, self._withheld)).items():
            self._play(bag.named(name, topic.message_type), f'/{name}')
        for name, topic in by_topic(sensors).items():
            self._play(bag.named(name, topic.message_type), f'/{name}')
            # A player may be far faster than a machine was.
            queue = f'qos_overrides./{name}.subscription.depth'
            self.parameters.setdefault(queue, QUEUE['depth'])
        if reads_oil(settings.estimator):
            self._play(bag.named(TOPIC, COMMAND_TYPE), f'/{TOPIC}')
        forces = input_topic(mechanism, False, settings.known_forces, settings.torques_are,
                             settings.command_joints)
        if forces:
            self._play(bag.named(forces.name, forces.message_type), f'/{forces.name.lstrip("/")}')
        self.topics += [topic for topic in bag.topics if topic.startswith('/prototype/')]
        self.has_clock = bag.has(CLOCK)
        if self.has_clock:
            self.topics.append(CLOCK)
        self.has_truth, self.reference = bag.has(TRUTH), TRUTH
        estimate = ESTIMATE.format(node=NODE)
        if bag.has(estimate):
            self._play(estimate, PAST + estimate)
        if not self.has_truth:
            self.reference = PAST + estimate

    def _play(self, topic: str, name: str) -> None:
        self.topics.append(topic)
        if topic != name:
            self.remapped[topic] = name


def player(replayed: Any, rate: float, folder: Path) -> Any:
    """Return the process that plays at a request; folder: for requests.

    Whatever the recorded publishers offered, the played ones suit all subscribers and lose nothing.
    """
    queues = written_queues([topic for topic in replayed.topics if topic != CLOCK],
                            folder / 'play_qos.yaml')
    command = [*with_launch(), ros2_command(), 'bag', 'play', replayed.bag, '--start-paused',
               '--rate', str(rate), '--disable-keyboard-controls',
               '--qos-profile-overrides-path', str(queues), '--topics', *replayed.topics]
    if replayed.remapped:
        command += ['--remap', *(f'{old}:={new}' for old, new in replayed.remapped.items())]
    if not replayed.has_clock:
        command += ['--clock', str(CLOCK_RATE)]
    return ExecuteProcess(name='player', output='screen', cmd=command)
