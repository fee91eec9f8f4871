"""What a user gives wrong to a node is told in one line, with exit code 2."""

import os
import subprocess
import sys

import pytest

CASES = [
    ('model_server', ['mechanism:=six_bar'], 'six_bar: unknown mechanism, expected one of andre'),
    ('model_simulation', ['step:=-1.0'], 'step'),
    ('model_simulation', ['formulation:=lagrangian'], 'one of index3_al, matrix_r'),
    ('model_simulation', ['integrator:=rk4'], 'integrator: rk4: unknown with this formulation'),
    ('model_simulation', ['publish_rate:=fast'], 'publish_rate'),
    ('model_simulation', ['formulation:=lagrange', 'natural_frequency:=-1.0'],
     'natural_frequency'),
]


@pytest.mark.parametrize(('node', 'parameters', 'message'),
                         CASES, ids=lambda case: str(case)[:40])
def test_wrong_parameters_are_told_in_one_line(node, parameters, message):
    result = run(node, parameters)
    assert result.returncode == 2
    assert message in result.stderr
    assert 'Traceback' not in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1


def test_a_malformed_file_is_told_with_its_place(tmp_path):
    file = tmp_path / 'mine.yaml'
    file.write_text('name: mine\nbodies: [\n')
    result = run('model_server', [f'mechanism:={file}'])
    assert result.returncode == 2
    assert 'mine.yaml: line 3, column 1: ' in result.stderr
    assert 'Traceback' not in result.stderr


def run(node, parameters):
    """Run a node until it ends and return the finished process."""
    options = [text for parameter in parameters for text in ('-p', parameter)]
    code = f'from mb_model.nodes.{node} import main; main()'
    return subprocess.run(
        [sys.executable, '-c', code, '--ros-args', *options], capture_output=True, text=True,
        timeout=60, env=os.environ | {'ROS_DOMAIN_ID': str(1 + os.getpid() % 100)})
