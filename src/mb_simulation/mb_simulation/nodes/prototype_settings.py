"""Settings of the prototype: the simulation and its speed."""

from dataclasses import dataclass

from mb_model import LATEST, Settings, setting
from mb_simulation.prototypes import ENGINES


@dataclass(frozen=True)
class PrototypeSettings(Settings):
    """The simulation and its speed."""

    mechanism: str = setting('four_bar', help='Name of a mechanism or path of its file')
    engine: str = setting('mujoco', choices=ENGINES, help='Simulator of the prototype')
    step: float = setting(1e-3, unit='s', at_least=1e-5, at_most=1.0,
                          help='Longest integration step')
    publish_rate: float = setting(200.0, unit='Hz', at_least=0.1, at_most=1e4,
                                  help='States published per simulated second')
    clock_rate: float = setting(
        200.0, unit='Hz', at_least=0.1, at_most=1e4,
        help='Times on /clock per simulated second, at most: every node takes each of them')
    duration: float = setting(10.0, unit='s', above=0.0, help='Simulated time')
    real_time_factor: float = setting(1.0, at_least=1e-3, at_most=1e6,
                                      help='Simulated over wall time')
    collisions: str = setting(
        '', help='Collisions on its trajectory: a YAML file or the name of '
                 'one that comes with mb_simulation; empty for nothing')
    start_time: float = setting(1.0, unit='s', above=0.0, at_most=LATEST,
                                help='Stamp of the first state; zero means "not set" to ROS')
    command_delay: float = setting(
        0.0, unit='s', at_least=0.0,
        help='From the stamp of a command to its effect: commands within it act in time, so '
             'that the motion depends on nothing but the stamps')
    wait_for_commands: bool = setting(
        False, help='Whether the run begins with the first command to a valve')
    wait_for_player: bool = setting(
        False, help='Whether the run begins when a player of commands (work_cycle) is there, and '
                    'time waits until the commands for an instant have come: none is late')
    most_ahead: float = setting(
        0.0, unit='s', at_least=0.0,
        help='How far time may be ahead of the estimates; at least a period of the states: '
             'it waits for nodes that are slow; 0: it never waits')
    wait_for_judgements: bool = setting(
        False, help='Whether time waits for contact_detector/contact instead, so that reactions '
                    'come control.reaction_delay after the judged stamp, on any machine; '
                    'sensors, estimator and detector must finish a judgement within that time, '
                    'at least a period of the states')
    wait_for_nodes: tuple[str, ...] = setting(
        (), help='Full names of the nodes that must be set up before the run begins')
