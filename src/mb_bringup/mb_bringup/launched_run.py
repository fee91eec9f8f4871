"""The processes of one run, and what ends it."""

import atexit
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
import os
from pathlib import Path
import shutil
import sys
from typing import Any

from launch.actions import LogInfo
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue

from mb_bringup.arguments import number
from mb_bringup.ending import Ending
from mb_bringup.interrupted import before_recorder, when_interrupted
from mb_bringup.node_processes import every_process, part, programs
from mb_bringup.onlookers import after_others, recorder, rviz
from mb_bringup.priority import options_of
from mb_bringup.real_time import IN_C, real_time_estimator
from mb_bringup.real_time_check import ESTIMATOR
from mb_bringup.sensor_nodes import SensorNode, sensor_nodes
from mb_bringup.starting import Starting
from mb_evaluation.verdict import objections
from mb_model import load_mechanism, mechanism_names
from mb_model.file_api import (
    new_run_folder,
    read_parameters,
    user_path,
    write_recorded,
)
from mb_sensors import DISTURBED, Sensor, by_topic
from mb_simulation.disturbance import KINDS

START_TIME = 1.0        # stamp of the first state [s]; zero means "not set" to ROS
PATIENCE = 2.0          # wall time that the estimator waits for a driver that is behind [s]
OVERLAP = 15.0          # wall time that a killed node may be seen beside its next life [s]


class LaunchedRun:
    """The processes of one run: nodes that follow its time, and the prototype that waits for them.

    The run ends with its monitor, or when a process fails that is needed and does not come back.
    No viewer is needed.  All processes end with `ros2 launch`, however that ends.
    """

    def __init__(self, given: Mapping[str, str], mechanism: str, config: Sequence[Path]) -> None:
        """Begin with nothing.

        given: text of each of EVERY_RUN; mechanism: its name or the path of its file; config:
        parameter files of all nodes.
        """
        self._given, self._config = given, config
        # Absolute, so that one can estimate from the bag in any folder.
        if mechanism not in mechanism_names():
            mechanism = str(user_path(mechanism).absolute())
        self._common = {'mechanism': mechanism, 'start_time': START_TIME}
        self._processes: list[Any] = []
        self._awaited: list[str] = []
        # words of the nodes in each shared process, by its name
        self._composed: dict[str, list[Any]] = {}
        self._first = options_of(number(given, 'priority', int))    # of nodes that go first
        self._after = {'prefix': ' '.join(after_others())}          # of onlookers
        self._disturbed = number(given, 'disturbed')
        self._keeps = given['respawn'] == 'true'
        # of estimators in C++
        self._in_real_time = given['realtime'] == 'true'
        # functions that make a process anew
        self._kept: list[Callable[..., Any]] = []
        self._viewers: list[Callable[[], Any]] = []
        self._readings: list[str] = []      # topics of sensors that are read
        self._recorder: list[Any] = []      # with what happens when it fails
        self._ending = Ending(given['strict'] == 'true', self._objections)
        self._judged: Path | None = None    # results folder of the run, if there is to be a verdict
        # of every node by name, as it gets them
        self._parameters: dict[str, dict[str, Any]] = {}
        # folder of a bag, in which these are kept, if there is one
        self._kept_in: Path | None = None
        self._overruled: list[str] = []     # of parameter files, in words

    @property
    def awaited(self):
        """Full names of the nodes that must be set up before the run begins."""
        return list(self._awaited)

    def node(self, package: str, executable: str, parameters: Mapping[str, Any],
             **options: Any) -> Any:
        """Return a node with its own and the common parameters."""
        return Node(package=package, executable=executable,
                    parameters=[*self._config, {
                        # launch reads texts as YAML otherwise: a file called 123 would be a number
                        key: ParameterValue(value, value_type=str) if isinstance(value, str)
                        else value for key, value in {**self._common, **parameters}.items()}],
                    # A process is named for its prefix otherwise.
                    **{'name': executable, 'exec_name': executable, **every_process(**options)})

    def estimator(self, parameters: Mapping[str, Any]) -> Any:
        """Return the process of an estimator that no prototype gives time; parameters: its own."""
        if not self._in_real_time:
            return self.node('mb_estimators', ESTIMATOR, parameters)
        return real_time_estimator(
            {**read_parameters(self._config, ESTIMATOR), **self._common, **parameters, **IN_C},
            self._shared_folder)

    def follow(self, package: str, executable: str, parameters: Mapping[str, Any],
               wait: bool = True, name: str | None = None, alone: bool = False,
               reads: Sequence[Sensor] = (), leaves_out: Mapping[str, Any] | None = None,
               resumes: bool = False, unless_given: Mapping[str, Any] | None = None) -> None:
        """Add a node that follows the prototype's time.

        wait: the run begins when it is set up; alone: it looks on, in a process of its own
        and after others, whatever is asked for; reads: Sensors whose readings it takes, over a bad
        line if that is asked for; leaves_out: parameters by which it leaves out incredible ones
        then, default: gates of its filter; resumes: it has a checkpoint when it may come back;
        unless_given: parameters that no argument says, which count less than files.
        """
        disturbed = reads if self._disturbed else ()
        bad = [(topic, f'{DISTURBED}/{topic}') for topic in by_topic(disturbed)]
        in_real_time = self._in_real_time and executable == ESTIMATOR
        if in_real_time:
            parameters = {**parameters, **IN_C}
        if leaves_out is None:
            leaves_out = {f'{sensor.name}.gate': 'reject' for sensor in reads}
        name = name or executable
        self._note_overruled(name, parameters)
        parameters = {'use_sim_time': True, **parameters, **self._unless_given(
            name, {**(leaves_out if disturbed else {}), **(unless_given or {})})}
        self._parameters[name] = {**read_parameters(self._config, name), **self._common,
                                  **parameters}
        if wait:
            self._awaited.append(f'/{name}')
        if in_real_time:
            self._processes.append(real_time_estimator(
                self._parameters[name], self._shared_folder, bad, **self._first))
            return
        # Not among the recorded parameters: a replay of the bag begins at its start.
        resumed = {'checkpoint': str(self._shared_folder / f'{name}.checkpoint')
                   } if resumes and self._keeps else {}
        words = part(package, executable, name, self._config,
                     {**self._common, **resumed, **parameters}, bad)
        shared = None if alone else self._shared_process(package)
        first = self._after if alone else self._first
        make = (partial(programs, 'keep', [words], name, **first) if self._keeps else
                partial(self.node, package, executable, parameters, name=name, remappings=bad,
                        **first))
        if alone:
            self._viewers.append(partial(self._ending.viewer, make, self._keeps))
        elif shared:
            self._composed.setdefault(shared, []).append(words)
        elif self._keeps:
            self._kept.append(make)
        else:
            self._processes.append(make())

    def _unless_given(self, node: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """Return the parameters of a node, by its name, that no parameter file gives."""
        given = read_parameters(self._config, node)
        return {name: value for name, value in parameters.items() if name not in given}

    def _note_overruled(self, node: str, parameters: Mapping[str, Any]) -> None:
        """Note which parameters of files the arguments of the launch overrule; node: its name."""
        given = read_parameters(self._config, node)
        self._overruled += [
            f'config: {node}: {name}: {given[name]} is not used, but {value} as the arguments of '
            'this launch say' for name, value in parameters.items()
            if name in given and given[name] != value]

    @cached_property
    def _shared_folder(self):
        """The folder that this run's processes share; gone with the launch."""
        folder = new_run_folder()
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        return folder

    def _shared_process(self, package: str) -> str | None:
        """Return the name of the process that nodes of a package share, None if they do not."""
        how = self._given['composed']
        if how == 'two':
            return 'drivers' if package == 'mb_sensors' else 'estimators'
        return 'composed' if how == 'true' else None

    def read(self, sensors: Sequence[Sensor], driver: SensorNode | None = None) -> None:
        """Add drivers for Sensors, emulators if their devices are emulated, and the bad line.

        driver: the only one, in place of these.
        """
        self._readings += by_topic(sensors)
        drivers, emulators = ([driver], []) if driver else sensor_nodes(
            sensors, number(self._given, 'seed', int), self._given['sources'],
            str(self._shared_folder / 'port') if self._given['sources'] != 'simulated' else '',
            int(os.environ.get('ROS_DOMAIN_ID', '0')))
        # Composed, they come back together with the readers of what they have sent.
        simulate = emulators or drivers
        resumes = self._given['composed'] != 'true'
        for one in (*emulators, *drivers):
            self.follow('mb_sensors', one.executable, one.parameters, name=one.name,
                        resumes=resumes and one in simulate)
        if self._disturbed:
            self.follow('mb_simulation', 'disturber', {
                'sensors': [sensor.name for sensor in sensors],
                'seed': number(self._given, 'seed', int),
                **dict.fromkeys(KINDS, self._disturbed)})

    def show(self, name: str) -> None:
        """Add markers of the mechanisms and the viewer that is asked for, if any.

        name: of the launch file, by which the viewer is configured.
        """
        view = self._given['view']
        if view == 'none':
            return
        if view == 'web':
            self.follow('mb_evaluation', 'web_view', {'address': self._given['view_address']},
                        wait=False, alone=True)
        else:
            make = partial(rviz, name, load_mechanism(str(self._common['mechanism'])),
                           self._shared_folder)
            self._viewers.append(partial(self._ending.viewer, make, kept=False))
            self.follow('mb_evaluation', 'robot_description', {}, wait=False, alone=True)
        self.follow('mb_evaluation', 'markers', {}, wait=False, alone=True)

    def record(self, folder: Path) -> None:
        """Add the recorder of a bag in a folder, if asked for; keep the parameters beside it."""
        if self._given['record'] == 'true':
            self._kept_in = folder
            bag = recorder(folder, self._readings, before_recorder())
            self._recorder = [*self._ending.without(bag, folder / 'bag'), bag]
            self._awaited.append('/rosbag2_recorder')

    def actions(self, monitor: Any, prototype: Any,
                unless_given: Mapping[str, Any] | None = None) -> list[Any]:
        """Return everything to launch.

        monitor: (name of the node of this package, parameters); prototype: its parameters;
        unless_given: further ones, as of `follow`.
        """
        self._note_overruled('prototype', prototype)
        return self.around(monitor, self.node('mb_simulation', 'prototype', {
            **prototype, **self._unless_given('prototype', unless_given or {}),
            'engine': self._given['prototype'],
            'wait_for_nodes': [f'/{monitor[0]}', *self._awaited]}), Path(monitor[1]['folder']))

    def around(self, monitor: Any, machine: Any, judged: Path | None = None) -> list[Any]:
        """Return everything to launch.

        machine: the process that the run is about; judged: results folder with a report of which
        there is a verdict, None for none.
        """
        self._judged = judged
        for process, parts in self._composed.items():
            if self._keeps:
                self._kept.append(partial(programs, 'keep', parts, process, **self._first))
            else:
                self._processes.append(programs('compose', parts, process, **self._first))
        name, parameters = monitor
        self._note_overruled(name, parameters)
        parameters = {'disturbed': self._disturbed > 0.0, **parameters}
        if self._keeps:
            parameters = {'longest_overlap': OVERLAP, **parameters}
        if self._kept_in:
            self._parameters[name] = {**read_parameters(self._config, name), **self._common,
                                      **parameters}
            write_recorded(self._parameters, self._kept_in)
        ending = self.node('mb_evaluation', name, parameters, output_format='{line}',
                           emulate_tty=sys.stdout.isatty(), **self._after)
        processes = [*self._processes, machine]
        return [*(LogInfo(msg=words) for words in self._overruled),
                *self._ending.with_monitor(ending),
                when_interrupted(Path(parameters['folder']), lambda: self._ending.is_over),
                *(action for one in processes for action in self._ending.with_failure(one)),
                *(action for make in self._kept for action in self._ending.again(make)),
                *(action for viewer in self._viewers for action in viewer()),
                *self._recorder, *Starting(len(processes) + 1, ending).actions(), ending,
                *processes]

    def _objections(self):
        """Return what is wrong with the run, in words, once its monitor has ended."""
        try:
            problems = list(objections(self._judged)) if self._judged else []
        except ValueError as error:
            return [str(error)]
        return [f'FAILED: {"; ".join(problems)}'] if problems else []
