"""What a user gives wrong to a node is reported in one line, with exit code 2."""

from importlib import import_module

import pytest

from mb_ros.node_bench import complaint_of

CASES = [
    ('model_server', ['mechanism:=six_bar'], 'six_bar: unknown mechanism, expected one of andre'),
    ('model_simulation', ['step:=-1.0'], 'step'),
    ('model_simulation', ['formulation:=lagrangian'], 'one of closed_form, coordinate'),
    ('model_simulation', ['integrator:=rk4'], 'integrator: rk4: unknown with this formulation'),
    ('model_simulation', ['publish_rate:=fast'], 'publish_rate'),
    ('model_simulation', ['formulation:=lagrange', 'natural_frequency:=-1.0'],
     'natural_frequency'),
]


@pytest.mark.parametrize(('node', 'parameters', 'message'),
                         CASES, ids=lambda case: str(case)[:40])
def test_wrong_parameters_are_reported_in_one_line(node, parameters, message, capfd):
    printed = printed_by(node, parameters, capfd)
    assert message in printed
    assert len(printed.strip().splitlines()) == 1


def test_a_malformed_file_is_reported_with_its_place(tmp_path, capfd):
    file = tmp_path / 'mine.yaml'
    file.write_text('name: mine\nbodies: [\n')
    printed = printed_by('model_server', [f'mechanism:={file}'], capfd)
    assert 'mine.yaml: line 3, column 1: ' in printed


def printed_by(node, parameters, capfd):
    """Return what a node says that ends because of its parameters."""
    main = import_module(f'mb_model.nodes.{node}').main
    return complaint_of(main.node_class, parameters, capfd)
