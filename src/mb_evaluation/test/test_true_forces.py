"""Forces that a recording has as truth, beside the forces that a filter estimates."""

from argparse import Namespace

from message_bags import write_messages
import numpy as np
from recorded_four_bar import SEED, experiment

from mb_evaluation.recordings.messages import forces_on
from mb_evaluation.recordings.quantity import MOTION, UNKNOWN
from mb_evaluation.recordings.recording import log_of
from mb_evaluation.report_kinds.estimate_panels import panels_of
from mb_ros.states import joint_state

EVERY = 3       # of which readings come with a force


def force_at(stamp):
    """Return the force [N m] of a stamp [ns], another one of each."""
    return 1e-9 * stamp - 0.5


def force_message(stamp, names, forces):
    message = joint_state(stamp, names, [])
    message.effort = list(forces)
    return message


def test_true_forces_are_drawn_in_the_axes_of_the_estimated_ones(tmp_path):
    made = experiment(0.2)
    stamps, rows = made.stamps, made.readings(SEED).tolist()
    messages = [('/crank_encoder', joint_state(stamp, ['crank_encoder'], row))
                for stamp, row in zip(stamps, rows, strict=True)]
    true = [('/prototype/external_forces', force_message(stamp, ['theta'], [force_at(stamp)]))
            for stamp in stamps[::EVERY]]
    curves = {}
    for name, sent in (('with', messages + true), ('without', messages)):
        log, _ = log_of(Namespace(
            bag=write_messages(tmp_path / name, sent), mechanism='four_bar', name='estimator',
            estimator='error_ekf_fe', sensors=['crank_encoder'], config=None, settings=[]))
        panels = panels_of(log)
        panel, = panels[UNKNOWN]
        curves[name] = {one.name: one for one in panel.curves}
        assert not any(one.name == 'truth' for kind in MOTION for panel in panels[kind]
                       for one in panel.curves)
    assert set(curves['with']) == {*curves['without'], 'truth'}
    truth, estimate = curves['with']['truth'], curves['with']['estimate']
    np.testing.assert_allclose(truth.y, [force_at(stamp) for stamp in stamps[::EVERY]])
    np.testing.assert_allclose(truth.x, estimate.x[::EVERY], atol=1e-9)


def test_a_degree_of_freedom_that_is_not_named_has_no_force():
    message = force_message(0, ['other', 'b'], [3.0, -2.0])
    assert forces_on(['a', 'b'], message) == [0.0, -2.0]
