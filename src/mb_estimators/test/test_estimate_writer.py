"""Messages that are made many at once are the bytes of each alone, in the same order."""

import numpy as np
import pytest

from mb_estimators import Innovation
from mb_estimators.estimator_setup import EstimatorSetup
from mb_estimators.nodes import estimate_writer
from mb_estimators.nodes.estimate_bag import TYPES
from mb_estimators.nodes.estimate_messages import EstimateMessages
from mb_estimators.nodes.estimate_writer import EstimateWriter
from mb_estimators.stream import Step
from mb_model.bags.encoding import Encoder
from mb_model.file_api import GivenParameters, message_types
from mb_ros.states import type_name


class KeptBag:
    """A NewBag that keeps what is written."""

    def __init__(self):
        self._encoder = Encoder(message_types(*TYPES))
        self.written = []

    def add_topic(self, topic, kind):
        pass

    def encoded(self, message, kind):
        return self._encoder.encoded(message, kind)

    def write_encoded(self, *written):
        self.written.append(written)


@pytest.mark.parametrize('block', [3, 500])
def test_messages_made_at_once_are_the_bytes_of_each_alone(block, monkeypatch):
    """Also where sizes of arrays change, numbers are not finite, and the first of a kind are few.
    """
    monkeypatch.setattr(estimate_writer, '_BLOCK', block)
    setup = EstimatorSetup(GivenParameters({
        'estimator': 'error_ekf', 'mechanism': 'four_bar',
        'sensors': ['crank_encoder']}).settings_of)
    first, rng = setup.filter.estimate, np.random.default_rng(1)
    fit = Innovation(np.array([0]), np.array([0.1]), np.eye(1), 0.01, np.array([], int))
    bag, alone, messages = KeptBag(), KeptBag(), EstimateMessages(setup)
    writer = EstimateWriter(setup, 'estimator', bag)
    for k in range(11):
        z = rng.normal(size=1) if k != 5 else np.array([np.nan])
        estimate = first._replace(z=z, q=rng.normal(size=len(first.q)),
                                  covariance=np.eye(2 + k % 2) * rng.random(),
                                  forces=np.array([np.inf]) if k % 3 == 2 else None)
        step = Step(10 ** 9 + k * 7 * 10 ** 8, estimate, fit, 1e-4 * k)
        writer.add(k, step)
        for topic in messages.topics:
            if (message := messages.of(topic, step)) is not None:
                alone.write_encoded(f'/estimator/{topic}', k, alone.encoded(
                    message, type_name(messages.types[topic])))
    writer.flush()
    assert bag.written == alone.written
    assert len(bag.written) >= 22
