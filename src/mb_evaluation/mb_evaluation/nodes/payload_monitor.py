"""The payload monitor: notes truth, observer and masses, then judges and reports."""

from dataclasses import dataclass
from functools import partial
from typing import Any

from mb_evaluation.nodes.buffered_monitor import BufferedMonitor
from mb_evaluation.nodes.monitor import MonitorSettings
from mb_evaluation.run_log.payload_log import PayloadLayout, PayloadLog
from mb_interfaces.msg import (
    HydraulicState,
    MechanismParameters,
    MechanismState,
    PayloadEstimate,
    ValveCommand,
)
from mb_model import setting
from mb_ros.node_main import REST, NodeMain
from mb_ros.qos import COMMAND_QOS, LATCHED_QOS, STREAM_QOS
from mb_ros.stamps import from_seconds
from mb_sensors import by_topic
from mb_sensors.command_api import reading_type


@dataclass(frozen=True)
class PayloadMonitorSettings(MonitorSettings):
    """What is being run, and what it is judged by."""

    mechanism: str = setting('crane', help='Name of the mechanism or path of its file')
    estimator: str = setting('hydraulic_kinematic_ekf', help='Filter of the run, for the report')
    sensors: tuple[str, ...] = setting(('cylinder_encoder', 'pressure1', 'pressure2'),
                                       help='Sensors or sensor groups of the run')
    cycle: str = setting('crane', help='Work cycle of the run, for the report')
    masses: tuple[str, ...] = setting(('load',), help="Unknown masses, names in the file's "
                                                      'parameters')
    mass_bound: float = setting(0.5, unit='kg', at_least=0.0,
                                help='How far a mass may be off once it has settled')
    mass_bound_share: float = setting(0.01, at_least=0.0,
                                      help='The same as a share of the mass; the greater counts')
    coverage_low: float = setting(0.90, at_least=0.0, at_most=1.0,
                                  help='How often 95 % intervals must hold the truth')
    coverage_high: float = setting(0.99, at_least=0.0, at_most=1.0,
                                   help='Beyond this they are remarked as wider than needed')
    complaints_bound: float = setting(
        0.3, at_least=0.0, at_most=1.0,
        help='Share of the run for which a node may complain of the same; more contradicts PASSED')


class PayloadMonitorNode(BufferedMonitor):
    """Collects the truth, the estimates and complaints; ends by itself."""

    topics = ('prototype/state', 'prototype/hydraulics', 'estimator/state',
              'payload_estimator/payload')
    kind, stated = 'payload', ('cycle',)
    bounds = {'mass_bound': 'mass', 'mass_bound_share': 'mass_share',
              'coverage_low': 'coverage_low', 'coverage_high': 'coverage_high',
              'complaints_bound': 'complaints'}

    def __init__(self, **options):
        super().__init__('payload_monitor', PayloadMonitorSettings, **options)
        settings, circuit = self.settings, self.mechanism.circuit
        if circuit is None:
            raise ValueError(f'mechanism: {self.mechanism.name} has no hydraulics')
        self._columns = list(circuit.cylinder_coordinates)      # of the cylinders in q
        layout = PayloadLayout(
            self.mechanism.independent, tuple(self.units.values()), circuit.volumes,
            circuit.valves, settings.masses, circuit.transition_velocity)
        self.run = PayloadLog(from_seconds(settings.start_time), settings.duration,
                              settings.publish_rate, layout, self.sensors, settings.seed,
                              self.faults)
        self.run.measured = {entry.get('coordinate') or entry.get('volume'): name
                             for name, entry in self.mechanism.sensors.items()
                             if name in self.run.readings}
        self.listen(
            (MechanismState, 'prototype/state', self._note_truth, STREAM_QOS),
            (HydraulicState, 'prototype/hydraulics', self._note_true_oil, STREAM_QOS),
            (MechanismParameters, 'prototype/parameters', self._note_parameters, LATCHED_QOS),
            (ValveCommand, 'valve_command', self._note_command, COMMAND_QOS),
            (MechanismState, 'estimator/state', self._note_estimate, STREAM_QOS),
            (HydraulicState, 'estimator/hydraulics', self._note_oil, STREAM_QOS),
            *self._reading_streams(),
            in_order=[(PayloadEstimate, 'payload_estimator/payload', self._note_payload,
                       STREAM_QOS)])

    def _note_truth(self, message: MechanismState, stamp: int, info: dict[str, Any]):
        self.run.truth.add(stamp, message.z, message.zd, message.zdd, self._cylinder_rates(message))
        self.run.published[stamp] = 1e-9 * info['source_timestamp']

    def _note_true_oil(self, message: HydraulicState, stamp: int, _: Any):
        self.run.true_oil.add(stamp, message.pressure, message.spool)

    def _note_parameters(self, message: MechanismParameters, stamp: int, _: Any):
        values = dict(zip(message.name, message.value, strict=True))
        self.run.true_masses.add(stamp, [values[name] for name in self.settings.masses])

    def _note_command(self, message: ValveCommand, stamp: int, _: Any):
        values = dict(zip(message.valve, message.command, strict=True))
        self.run.commands.add(stamp, [values[name] for name in self.run.layout.valves])

    def _note_estimate(self, message: MechanismState, stamp: int, _: Any):
        self.run.estimate.add(stamp, message.z, message.zd, message.zdd,
                              self._cylinder_rates(message))

    def _note_oil(self, message: HydraulicState, stamp: int, _: Any):
        self.run.add_covariance(stamp, message.pressure, message.spool, message.covariance)

    def _note_payload(self, message: PayloadEstimate, stamp: int, _: Any):
        self.run.add_payload(stamp, message.mass, message.raw_mass, message.deviation,
                             message.updating, message.reason, message.event)

    def _reading_streams(self):
        """Yield the streams of the sensors' topics."""
        for name, topic in by_topic(self.sensors).items():
            yield (reading_type(topic), name,
                   partial(self._note_readings, topic), STREAM_QOS)

    def _note_readings(self, topic: Any, message: Any, stamp: int, _: Any):
        for sensor, values in topic.readings(message):
            if sensor in self.run.readings:
                self.run.readings[sensor].add(stamp, values)

    def _cylinder_rates(self, message: MechanismState) -> list[float]:
        return [message.qd[k] for k in self._columns]

    def shown_progress(self):
        """Return the newest errors of the masses."""
        return {'errors': {'mass': self.run.latest_error()}}


main = NodeMain(PayloadMonitorNode, rest=REST)
