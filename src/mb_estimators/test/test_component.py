"""What the component of mb_realtime is given, to estimate as the node would."""

import ctypes

from exported import needs_compiler
import pytest
import yaml

from mb_estimators.command_api import component_parameters, require_compiler
from mb_estimators.native.methods import NotInCError
from mb_model import load_mechanism

FOUR_BAR = {'mechanism': 'four_bar', 'estimator': 'error_ekf', 'sensors': ['crank_encoder']}


@pytest.fixture
def machine(tmp_path):
    """Return the file of a linkage with a motor whose joint has a name of its own."""
    file = tmp_path / 'machine.yaml'
    file.write_text(yaml.safe_dump({
        'extends': 'four_bar', 'drives': ['theta'], 'sensors': {'torque': {
            'kind': 'motor_torque', 'drive': 'theta', 'sigma': 0.1, 'topic': 'joint_states',
            'joint_name': 'crank_joint'}}}))
    return str(file)


@needs_compiler
def test_the_plugin_opens_and_settings_are_those_of_the_node(tmp_path):
    given = component_parameters({
        **FOUR_BAR, 'reorder_window': 0.2, 'status_rate': 10.0, 'model_errors.z0': 0.1,
        'input_rate': 5.0, 'interpolate': False, 'crank_encoder.gate': 'reject',
        'crank_encoder.gate_probability': 0.95}, tmp_path / 'arm')
    library = ctypes.CDLL(given.pop('library'))
    assert library.mb_estimator
    assert given.pop('gates') == pytest.approx([3.841459])      # chi-square, a table's
    assert given == {
        'first_reading': True, 'history_length': 0.0, 'input_rate': 5.0, 'leave_out_repeats': True,
        'longest_gap': 10.0, 'nis_bound': 100.0, 'nis_time': 1.0, 'reorder_window': 0.2,
        'sensor_timeout': 1.0, 'start_time': 0.0, 'prediction_rate': 0.0, 'publish_rate': 0.0,
        'status_rate': 10.0}


@needs_compiler
def test_the_estimate_begins_where_the_node_does(tmp_path):
    """With the errors of the model that it is given."""
    given = component_parameters({**FOUR_BAR, 'model_errors.z0': 0.1}, tmp_path / 'arm')
    text = (tmp_path / 'arm' / 'arm.h').read_text()
    assert 'error_ekf on four_bar, by crank_encoder' in text
    library = ctypes.CDLL(given['library'])
    library.mb_estimator.restype = ctypes.c_void_p
    memory = (tmp_path / 'arm' / 'arm_kernels.o').read_bytes()
    start = load_mechanism('four_bar').z0[0] + 0.1
    assert bytes(ctypes.c_double(start)) in memory


@needs_compiler
@pytest.mark.parametrize(('settings', 'expected'), [
    ({'command_joints': ['crank_joint'], 'known_forces': 'effort_controller/commands'},
     {'command_joints': ['crank_joint'], 'known_forces': 'effort_controller/commands',
      'force_joints': ['crank_joint']}),
    ({'known_forces': 'joint_states', 'torques_are': 'commands'},
     {'known_forces': 'joint_states', 'force_joints': ['crank_joint']}),
    ({'known_forces': 'drive_torques'}, {'known_forces': 'drive_torques'})])
def test_known_forces_have_the_names_of_the_joints_of_motors(settings, expected, machine, tmp_path):
    given = component_parameters({**FOUR_BAR, 'mechanism': machine, **settings}, tmp_path / 'arm')
    assert {name: value for name, value in given.items()
            if name in ('known_forces', 'command_joints', 'force_joints')} == expected


@pytest.mark.parametrize(('settings', 'message'), [
    ({'restart': True}, 'restart: True is not there in C, expected False'),
    ({'interpolate': True}, 'interpolate: True is not there'),
    ({'history_length': 0.1, 'late_estimates': 'both'}, 'late_estimates: both is not there in C'),
    ({'crank_encoder.gate': 'inflate'}, 'crank_encoder.gate: inflate is not there in C'),
    ({'crank_encoder.sporadic': True}, 'crank_encoder: messages that say .* are not there in C'),
    ({'checkpoint': 'file'}, 'checkpoint: is not there in C'),
    ({'known_forces': 'torques'}, 'torques_are: measured forces on straight lines are not there'),
    ({'mechanism': 'crane', 'estimator': 'hydraulic_kinematic_ekf',
      'sensors': ['cylinder_encoder', 'pressure1']}, 'estimates oil, of which the component'),
    ({'estimator': 'dual_ukf_error_ekf_fe'}, 'not there in C')])
def test_what_c_does_not_do_is_refused(settings, message, tmp_path):
    with pytest.raises(NotInCError, match=message):
        component_parameters({**FOUR_BAR, **settings}, tmp_path / 'arm')
    assert list(tmp_path.iterdir()) == []


def test_without_a_compiler_it_says_what_to_do(monkeypatch, tmp_path):
    monkeypatch.setenv('PATH', str(tmp_path))
    with pytest.raises(ValueError, match=r'cc: no such compiler of C, .*build-essential'):
        require_compiler()
    monkeypatch.setenv('CC', 'my_cc')
    with pytest.raises(ValueError, match='my_cc: no such compiler of C'):
        require_compiler()
