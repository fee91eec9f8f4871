"""Estimates in a new bag: messages of many steps at once, where their numbers alone differ."""

from collections.abc import Callable
from functools import partial

import numpy as np

from mb_estimators.estimator_setup import EstimatorSetup
from mb_estimators.nodes.estimate_messages import Alike, EstimateMessages
from mb_estimators.stream import Step
from mb_model.arrays import FloatArray
from mb_model.file_api import AlikeMessages, NewBag
from mb_ros.states import type_name

_BLOCK = 500        # steps whose messages are made at once

Encode = Callable[..., bytes]


class EstimateWriter:
    """Writes the messages of Steps, as an estimator publishes them, into a NewBag."""

    def __init__(self, setup: EstimatorSetup, name: str, bag: NewBag) -> None:
        """Set up for the EstimatorSetup of a node with a name."""
        self._messages, self._bag, self._name = EstimateMessages(setup), bag, name
        self._topics = self._messages.topics
        for topic in self._topics:
            bag.add_topic(f'/{name}/{topic}', type_name(self._messages.types[topic]))
        self._alike = {
            topic: _AlikeSteps(alike, partial(self._encoded, topic))
            for topic, alike in self._messages.alike.items()}
        self._waiting: list[tuple[int, dict[str, bytes]]] = []  # arrivals [ns], of topics not alike

    def add(self, arrival: int, step: Step) -> None:
        """Write the messages of a Step, which was there at an arrival [ns]; some wait meanwhile."""
        own = {}
        for topic in self._topics:
            if topic in self._alike:
                self._alike[topic].add(step)
            elif (message := self._messages.of(topic, step)) is not None:
                own[topic] = self._encoded(topic, message)
        self._waiting.append((arrival, own))
        if len(self._waiting) >= _BLOCK:
            self.flush()

    def flush(self) -> None:
        """Write what waits."""
        alike = {topic: one.taken() for topic, one in self._alike.items()}
        for k, (arrival, own) in enumerate(self._waiting):
            for topic in self._topics:
                data = alike[topic][k] if topic in alike else own.get(topic)
                if data is not None:
                    self._bag.write_encoded(f'/{self._name}/{topic}', arrival, data)
        self._waiting.clear()

    def _encoded(self, topic: str, message: object) -> bytes:
        return self._bag.encoded(message, type_name(self._messages.types[topic]))


class _AlikeSteps:
    """The messages of Steps on a topic, as bytes."""

    def __init__(self, alike: Alike, encoded: Callable[[object], bytes]) -> None:
        self._arrays_of, self._message = alike
        self._encoded = encoded
        self._known: dict[tuple[int, ...], AlikeMessages] = {}      # by the sizes of the arrays
        self._waiting: dict[tuple[int, ...], list[tuple[int, int, FloatArray]]] = {}
        self._count = 0

    def add(self, step: Step) -> None:
        """Note the numbers of a Step."""
        arrays = [np.ravel(one) for one in self._arrays_of(step.estimate)]
        self._waiting.setdefault(tuple(map(len, arrays)), []).append(
            (self._count, step.stamp, np.concatenate(arrays)))
        self._count += 1

    def taken(self) -> list[bytes]:
        """Return the messages of all Steps since the last time, in their order."""
        messages = [b''] * self._count
        for sizes, waiting in self._waiting.items():
            rows, stamps, numbers = zip(*waiting, strict=True)
            for row, one in zip(rows, self._of(sizes).of(np.array(stamps), np.array(numbers)),
                                strict=True):
                messages[row] = one
        self._waiting.clear()
        self._count = 0
        return messages

    def _of(self, sizes: tuple[int, ...]) -> AlikeMessages:
        """Return what encodes messages whose arrays have these sizes."""
        if sizes not in self._known:
            ends = np.cumsum(sizes)[:-1]
            self._known[sizes] = AlikeMessages(
                lambda stamp, numbers: self._encoded(
                    self._message(stamp, *np.split(np.array(numbers), ends))), sum(sizes))
        return self._known[sizes]
