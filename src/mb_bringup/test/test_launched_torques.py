"""Robots in the plane and in space as users launch them, whose motors read their own torques."""

import unittest

from bag_reports import report_in
import launch_testing
from launched_file import EndsByItself, EndsCleanly, launched_file, passing_folder
import numpy as np
import pytest
import yaml

from mb_contact import ContactDetector, DetectionSettings
from mb_contact.detection.recorded import Source, read_bag
from mb_contact.detection.thresholds import judge
from mb_evaluation.report_kinds.contact_report import objections
from mb_model import load_mechanism
from mb_model.file_api import stamp_of
from mb_sensors import open_bag

RUNS = {        # arguments; thresholds of the direct method and the observer; what is touched
    'three_rrr': ({'duration': '1.6'}, [30.0, 30.0, 3.0],
                  '{bodies: [platform], time: 1.3, direction: 0.3}'),
    'delta': ({'duration': '1.4', 'torque_offset': '0.02', 'torque_noise': '0.05'},
              [20.0, 20.0, 20.0],
              '{bodies: [arm1], time: 1.1, along: 0.6, shape: cylinder, radius: 0.02}')}
MESSAGES = 'BodyContact', 'ContactHypothesis', 'ExternalForce', 'ContactEstimate'
TOUCHED = {'three_rrr': 'platform', 'delta': 'arm1'}


@pytest.mark.whole
@pytest.mark.launch_test
@launch_testing.parametrize('mechanism', list(RUNS))
def generate_test_description(mechanism):
    """Run with motors whose readings have errors of gain and offset, and noise."""
    results = passing_folder('measured_torques_')
    arguments, limits, collision = RUNS[mechanism]
    (results / 'pylon.yaml').write_text(f'collisions: [{collision}]')
    (results / 'config.yaml').write_text(yaml.safe_dump({
        'estimator': {'ros__parameters': {'dt': 0.001}},
        'contact_detector': {'ros__parameters': {
            'direct_threshold': limits, 'momentum_threshold': [*limits]}}}))
    arguments = {'results': str(results), 'mechanism': mechanism, 'torques': 'measured',
                 'collisions': str(results / 'pylon.yaml'), 'estimate_rate': '0',
                 'imu': 'ideal', 'reaction': 'none',
                 'config': str(results / 'config.yaml'), 'real_time_factor': '0.3'} | arguments
    return launched_file('parallel_robot_contact', arguments), {
        'folder': results / 'latest', 'limits': limits}


class TestRun(EndsByItself, unittest.TestCase):
    """While it runs."""

    monitor, patience = 'contact_monitor', 200


@launch_testing.post_shutdown_test()
class TestOutcome(EndsCleanly, unittest.TestCase):
    """After everything has ended."""

    def test_what_touches_is_named_and_nothing_else_detected(self, folder, mechanism):
        """With torques as motors read them."""
        report = report_in(folder)
        self.assertEqual(objections(report), [])
        self.assertEqual(report['torques'], 'measured')
        contact, = report['contacts']
        self.assertEqual((contact['bodies'], contact['named']),
                         ([TOUCHED[mechanism]], TOUCHED[mechanism]))
        self.assertEqual(report['false_alarms'], [])

    def test_forces_are_those_of_the_readings(self, folder, limits):
        """Judged again from the readings in the bag, they are the same; with commands, others."""
        model = load_mechanism(str(folder / 'model.yaml'))
        motors = [f'motor_{drive}' for drive in model.drives]
        with open_bag(str(folder / 'bag'), *MESSAGES) as bag:
            live = {stamp_of(message): np.array(force.force)
                    for _, message in bag.of('/contact_detector/contact')
                    for force in message.forces if force.method == 'direct'}
        self.assertGreater(len(live), 80)
        off = []
        for names in (motors, ()):
            detector = ContactDetector(model, settings=DetectionSettings(
                direct_threshold=tuple(limits), momentum_threshold=tuple(limits)))
            judged = judge(detector, read_bag(
                model, model.drives, str(folder / 'bag'), Source(torque_sensors=names)))
            again = dict(zip(judged.stamps.tolist(), judged.force['direct'], strict=True))
            off.append(np.array([again[stamp] - force for stamp, force in live.items()
                                 if stamp in again]))
        self.assertEqual(np.abs(off[0]).max(), 0.0)
        self.assertGreater(np.sqrt(np.mean(off[1] ** 2)), 0.01)
