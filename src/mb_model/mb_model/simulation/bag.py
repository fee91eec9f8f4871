"""Runs in rosbag2 bags: a MechanismState for every instant, and a text about the run.

The bags are written and read without a ROS process.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mb_model.arrays import FloatArray, IntArray
from mb_model.bags import STATE_TYPE, NewBag, new_bag, open_reader, stamp_of
from mb_model.bags.messages import SECOND
from mb_model.mechanism import load_mechanism
from mb_model.simulation.arrays import MOTION, STATE, SUPPLIES, read_run_text, run_text

if TYPE_CHECKING:
    from mb_model.bags.reader import BagReader
    from mb_model.mechanism import Mechanism

TOPIC = '/model_simulation/state'
TEXT_TYPE = 'std_msgs/msg/String'


def write_bag(run: Any, folder: str | Path, storage: str = 'mcap') -> None:
    """Write a Run into a new bag; stamps count from 0.  Raises OSError, ValueError."""
    text = run_text(run.mechanism, run.formulation, run.integrator, run.settings, run.dt,
                    run.error)
    with new_bag(folder, storage, types=MESSAGES if run.has_oil else ()) as bag:
        bag.add_topic(text_topic(TOPIC), TEXT_TYPE, 1)
        bag.add_topic(TOPIC, STATE_TYPE)
        bag.write(text_topic(TOPIC), 0, bag.types.types[TEXT_TYPE](data=text))
        for k, t in enumerate(run.t):
            stamp = round(t * SECOND)
            bag.write(TOPIC, stamp, state_message(
                bag.types, run.mechanism, stamp, generalized_force=run.forces[k],
                **{name: getattr(run, name)[k] for name in STATE}))
        if run.has_oil:
            write_oil(run, bag, TOPIC)


def read_bag(folder: str | Path, topic: str | None = None) -> dict[str, Any]:
    """Return what the Run of a bag is made of, by name; of `write_bag` or recorded from a node.

    topic: of which MechanismState, if there are several.  A bag without a text about the run names
    the mechanism in its states; it must then be one that comes with mb_model.
    Raises OSError, ValueError.
    """
    with open_reader(folder, *MESSAGES) as bag:
        topic = _topic(bag, folder, topic)
        texts = [] if bag.kinds.get(text_topic(topic)) != TEXT_TYPE else [
            message for _, _, message in bag.messages([text_topic(topic)])]
        states = [state for _, state in bag.alike(topic, _form)]
        oil = _read_oil(bag, topic)
    if not states:
        raise ValueError(f'{folder}: no message on {topic}')
    stamps = np.array([stamp_of(state) for state in states])
    t = (stamps - stamps[0]) / SECOND
    if texts:
        how, dt = read_run_text(texts[0].data, f'{folder}: {text_topic(topic)}')
        t = dt * np.rint(t / dt) if dt > 0.0 else t        # stamps are rounded to nanoseconds
    else:
        how = {'mechanism': load_mechanism(states[0].mechanism)}
    arrays = {name: np.array([getattr(state, name) for state in states]) for name in STATE}
    forces = np.array([state.generalized_force for state in states])
    run = {'t': t, 'forces': forces if forces.size else np.zeros_like(arrays['z'])} | how | arrays
    return run if oil is None else oil_of_run(run, stamps, oil, folder)


def text_topic(topic: str) -> str:
    """Return the topic of the text about a run whose states come on `topic`."""
    return topic.rsplit('/', 1)[0] + '/description'


def state_message(types: Any, mechanism: 'Mechanism', stamp: int, **arrays: Any) -> Any:
    """Return the MechanismState of a stamp [ns]; arrays that are left out are empty.

    types: message_types().
    """
    known, (sec, nanosec) = types.types, divmod(stamp, SECOND)
    header = known['std_msgs/msg/Header'](
        known['builtin_interfaces/msg/Time'](sec, nanosec), mechanism.name)
    empty = {name: np.empty(0) for name in (
        *STATE, 'covariance', 'generalized_force', 'generalized_force_deviation')}
    return known[STATE_TYPE](
        header=header, mechanism=mechanism.name, independent=list(mechanism.independent),
        coordinates=list(mechanism.coordinates), **empty | arrays)


def _read_oil(bag: 'BagReader', topic: str) -> tuple[list[Any], list[Any], list[Any]] | None:
    """Return what read_oil finds, None without a state of oil."""
    if OIL_TYPE not in bag.kinds.values():
        return None
    oil = read_oil(bag, topic)
    return oil if oil[0] else None


def _topic(bag: 'BagReader', folder: str | Path, asked: Any) -> str:
    """Return the topic of the states: the one asked for, or the only one."""
    topics = [topic for topic, kind in bag.kinds.items() if kind == STATE_TYPE]
    if asked is None and len(topics) == 1:
        return topics[0]
    if asked not in topics:
        raise ValueError(f'{folder}: topic {asked or ""}: expected one of '
                         f'{", ".join(topics) or "none: no MechanismState in it"}')
    return asked


def _form(state: Any) -> tuple[Any, ...]:
    """Return what all states of a run have in common."""
    return state.mechanism, *(len(getattr(state, name)) for name in (*STATE, 'generalized_force'))


MESSAGES = 'HydraulicState', 'ValveCommand', 'MechanismParameters'
OIL_TYPE, _COMMAND, _PARAMETERS = (f'mb_interfaces/msg/{name}' for name in MESSAGES)
_COMMANDS_TOPIC = '/valve_command'


def oil_topic(topic: str) -> str:
    """Return the topic of the HydraulicState that goes with the states on `topic`."""
    return _beside(topic, 'hydraulics')


def write_oil(run: Any, bag: NewBag, topic: str) -> None:
    """Write the oil of a Run: its state at every instant, what was set where it changes.

    bag: with the types of MESSAGES; topic: of the states.
    """
    circuit, known = run.mechanism.circuit, bag.types.types

    def write(topic: str, stamp: int, /, **values: Any) -> None:
        header = known['std_msgs/msg/Header'](
            known['builtin_interfaces/msg/Time'](*divmod(stamp, SECOND)), run.mechanism.name)
        bag.write(topic, stamp, known[kinds[topic]](header=header, **values))

    states, parameters = oil_topic(topic), _beside(topic, 'parameters')
    kinds = {states: OIL_TYPE, _COMMANDS_TOPIC: _COMMAND, parameters: _PARAMETERS}
    for name, kind in kinds.items():
        bag.add_topic(name, kind)
    names, values = list(run.parameters), _table(run)
    supplies = [] if run.supply_p is None else list(circuit.supplies)
    supply_p = np.empty((len(run.t), 0)) if run.supply_p is None else run.supply_p
    for k, t in enumerate(run.t):
        stamp = round(t * SECOND)
        write(states, stamp, mechanism=run.mechanism.name,
              volume=list(circuit.volumes), pressure=run.p[k], valve=list(circuit.valves),
              spool=run.U[k], cylinder=list(circuit.cylinders), force=run.cylinder_force[k],
              supply=supplies, supply_pressure=supply_p[k],
              covariance=np.empty(0), distrust='')
        if k == 0 or (run.U_in[k] != run.U_in[k - 1]).any():
            write(_COMMANDS_TOPIC, stamp, valve=list(circuit.valves), command=run.U_in[k])
        if names and (k == 0 or (values[k] != values[k - 1]).any()):
            write(parameters, stamp, name=names, value=values[k])


def read_oil(bag: Any, topic: str) -> tuple[list[Any], list[Any], list[Any]]:
    """Return the messages of a BagReader about the oil: states, commands, parameters."""
    def messages(name: str, kind: str,
                 read: Callable[[str], Iterable[tuple[Any, Any]]]) -> list[Any]:
        return [message for _, message in read(name)] if bag.kinds.get(name) == kind else []

    return (messages(oil_topic(topic), OIL_TYPE, partial(bag.alike, key=_form_of_oil)),
            messages(_COMMANDS_TOPIC, _COMMAND,
                     partial(bag.of, convert=_paired('valve', 'command'))),
            messages(_beside(topic, 'parameters'), _PARAMETERS,
                     partial(bag.of, convert=_paired('name', 'value'))))


def _paired(names: str, values: str) -> Callable[[Any], Any]:
    """Return a function that refuses messages without a value for each name, by ValueError."""
    def convert(message: Any) -> Any:
        if len(getattr(message, names)) != len(getattr(message, values)):
            raise ValueError(f'{names}, {values}: must be of the same length')
        return message

    return convert


def _form_of_oil(state: Any) -> tuple[Any, ...]:
    """Return what all states of the oil have in common."""
    return (tuple(state.volume), tuple(state.valve), tuple(state.cylinder), tuple(state.supply),
            *map(len, (state.pressure, state.spool, state.force, state.supply_pressure)))


def oil_of_run(run: dict[str, Any], stamps: IntArray,
               messages: tuple[list[Any], list[Any], list[Any]],
               folder: str | Path) -> dict[str, Any]:
    """Return what a Run with oil is made of, by name, with what read_oil found.

    run: what its motion is made of at stamps (k) [ns]; instants without a state of the oil are
    left out.  Raises ValueError.
    """
    states, commands, parameters = messages
    mechanism = run['mechanism']
    circuit = mechanism.circuit
    for names, known in (() if circuit is None else (
            (states[0].volume, circuit.volumes), (states[0].valve, circuit.valves),
            (states[0].cylinder, circuit.cylinders),
            *([(states[0].supply, tuple(circuit.supplies))] if len(states[0].supply) else []))):
        if tuple(names) != known:
            circuit = None
    if circuit is None:
        raise ValueError(f'{folder}: its oil is not from {mechanism.file}')
    oil = {stamp_of(state): state for state in states}
    kept = np.array([k for k, stamp in enumerate(stamps) if stamp in oil], dtype=int)
    if not len(kept):
        raise ValueError(f'{folder}: no state of the oil at the stamps of a state')
    stamps = stamps[kept]
    at = [oil[stamp] for stamp in stamps]
    motion = {name: run[name][kept] for name in MOTION}
    s, sd = (motion[name][:, circuit.cylinder_coordinates] for name in ('q', 'qd'))
    U0 = dict(zip(circuit.valves, circuit.U0, strict=True))
    U_in = _held(stamps, [(stamp_of(m), m.valve, m.command) for m in commands], U0)
    values = _held(stamps, [(stamp_of(m), m.name, m.value) for m in parameters],
                   {name: mechanism.parameters.get(name, np.nan)
                    for m in parameters[:1] for name in m.name})
    return run | motion | {
        'p': np.array([state.pressure for state in at]),
        'U': np.array([state.spool for state in at]),
        'U_in': np.stack([U_in[name] for name in circuit.valves], axis=1),
        'cylinder_force': np.array([state.force for state in at]),
        'stop_force': np.array([circuit.stop_force(*row) for row in zip(s, sd, strict=True)]),
        'parameters': values} | ({SUPPLIES: np.array([state.supply_pressure for state in at])}
                                 if len(states[0].supply) else {})


def _held(stamps: IntArray, changes: Iterable[tuple[int, Sequence[str], Sequence[float]]],
          start: Mapping[str, float]) -> dict[str, FloatArray]:
    """Return name -> values (k) held from (stamp, names, values) to the next, `start` before."""
    out = {name: np.full(len(stamps), value) for name, value in start.items()}
    for stamp, names, values in sorted(changes, key=lambda change: change[0]):
        for name, value in zip(names, values, strict=True):
            if name in out:
                out[name][stamps >= stamp] = value
    return out


def _table(run: Any) -> FloatArray:
    """Return the values of parameters (k, names)."""
    return np.array([*run.parameters.values()]).reshape(len(run.parameters), len(run.t)).T


def _beside(topic: str, name: str) -> str:
    return f'{topic.rsplit("/", 1)[0]}/{name}'
