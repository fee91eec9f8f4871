"""The report of a replay monitor, with and without states to compare with."""

import json

import pytest
import rclpy

from mb_evaluation.nodes.replay_monitor import ReplayMonitorNode
from mb_interfaces.msg import MechanismState
from mb_model import load_mechanism
from mb_ros.node_bench import arguments_of, begin

PENDULUM = load_mechanism('pendulum')


def state(k):
    """Return the estimate of an instant."""
    message = MechanismState(mechanism=PENDULUM.name, independent=list(PENDULUM.independent),
                             z=[0.1 * k], zd=[1.0], zdd=[0.0], covariance=[1e-4])
    message.header.stamp.nanosec = 100_000_000 * k
    return message


@pytest.mark.parametrize('with_reference', [False, True])
def test_a_replay_is_never_compared_with_itself(tmp_path, capsys, with_reference):
    """Without a truth and a recorded estimate there is no difference, not one of zero."""
    begin(arguments_of(['mechanism:=pendulum', 'sensors:=[encoder]', f'folder:={tmp_path}',
                        'reference:=/recorded/estimator/state', 'has_truth:=false']))
    try:
        node = ReplayMonitorNode()
        for k in range(5):
            node._on_state(state(k))
            if with_reference:
                node._on_reference(state(k))
        node._begin, node._last_news = 0.0, 1.0
        node._conclude()
    finally:
        rclpy.try_shutdown()
    report = json.loads((tmp_path / 'comparison.json').read_text())
    figures, = report['estimators'].values()
    assert (report['reference'] is not None) is with_reference
    assert ('position_rmse' in figures) is with_reference
    assert ('Nothing to compare with' in capsys.readouterr().out) is not with_reference
    assert (tmp_path / 'comparison.png').exists() is with_reference
