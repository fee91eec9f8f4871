"""All nodes that need neither a device nor a bag, with parameters with which they begin."""

from mb_contact.nodes.contact_detector import ContactDetectorNode
from mb_contact.nodes.payload_estimator import PayloadEstimatorNode
from mb_contact.nodes.tool_scales import ToolScalesNode
from mb_estimators.nodes.estimator import EstimatorNode
from mb_estimators.nodes.marker_labels import MarkerLabelsNode
from mb_evaluation.nodes.accuracy_monitor import AccuracyMonitorNode
from mb_evaluation.nodes.contact_monitor import ContactMonitorNode
from mb_evaluation.nodes.markers import MarkersNode
from mb_evaluation.nodes.payload_monitor import PayloadMonitorNode
from mb_evaluation.nodes.robot_description import RobotDescriptionNode
from mb_evaluation.nodes.weighing_monitor import WeighingMonitorNode
from mb_model.nodes.model_server import ModelServerNode
from mb_model.nodes.model_simulation import ModelSimulationNode
from mb_sensors.nodes.broadcasters import BroadcastersNode
from mb_sensors.nodes.emulate import EmulateNode
from mb_sensors.nodes.sensor_driver import SensorDriver
from mb_sensors.nodes.virtual_sensors import VirtualSensorsNode
from mb_simulation.nodes.disturber import DisturberNode
from mb_simulation.nodes.prototype import PrototypeNode
from mb_simulation.nodes.work_cycle import WorkCycleNode

CAN = {'can.interface': 'virtual', 'can.channel': 'hostile'}
NODES = {               # name -> (class, parameters)
    'estimator': (EstimatorNode, {'sensors': ['crank_encoder']}),
    'marker_labels': (MarkerLabelsNode, {'mechanism': 'stewart', 'markers': ['platform_tracker'],
                                         'estimator': 'error_ekf_fe'}),
    'platform_estimator': (EstimatorNode, {
        'mechanism': 'three_rrr', 'estimator': 'platform_ekf', 'sensors': ['drive_encoders', 'imu'],
        'history_length': 0.02}),
    'contact_detector': (ContactDetectorNode, {}),
    'payload_estimator': (PayloadEstimatorNode, {}),
    'sensor_driver': (SensorDriver, {'sensors': ['crank_encoder', 'coupler_gyro']}),
    'broadcasters': (BroadcastersNode, {}),
    'emulate': (EmulateNode, {**CAN, 'device': 'can', 'sensors': ['crank_encoder'],
                              'crank_encoder.can.node_id': 5}),
    'disturber': (DisturberNode, {'sensors': ['crank_encoder']}),
    'prototype': (PrototypeNode, {}),
    'robot': (PrototypeNode, {'mechanism': 'three_rrr', 'trajectory.kind': 'rectangle'}),
    'accuracy_monitor': (AccuracyMonitorNode, {'folder': '/nowhere'}),
    'contact_monitor': (ContactMonitorNode, {'mechanism': 'three_rrr', 'folder': '/nowhere'}),
    'payload_monitor': (PayloadMonitorNode, {'mechanism': 'crane', 'folder': '/nowhere'}),
    'tool_scales': (ToolScalesNode, {}),
    'virtual_sensors': (VirtualSensorsNode, {}),
    'weighing_monitor': (WeighingMonitorNode, {'folder': '/nowhere'}),
    'markers': (MarkersNode, {}),
    'robot_description': (RobotDescriptionNode, {}),
    'work_cycle': (WorkCycleNode, {}),
    'model_simulation': (ModelSimulationNode, {}),
    'model_server': (ModelServerNode, {}),
}
