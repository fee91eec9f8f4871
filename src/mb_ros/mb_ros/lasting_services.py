"""Services of a managed node that answer in every state of it."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from rclpy.node import Node

Answer = Callable[[Any, Any], Any]      # (request, response) -> response


class LastingServices:
    """Are there as long as the node, so that no request stays without an answer.

    A service that goes takes the requests with it that wait in its queue.
    """

    def __init__(self, node: Node, kinds: Mapping[str, type]) -> None:
        """Create services, kinds by name, in a node; their responses have `success`, `message`."""
        self._answers: dict[str, Answer | None] = dict.fromkeys(kinds)
        for name, kind in kinds.items():
            node.create_service(kind, name, partial(self._answer, name))

    def serve(self, name: str, answer: Answer) -> None:
        """Let requests to one of them be answered by a callback until `forget`."""
        if name not in self._answers:
            raise KeyError(f'{name}: must be one of {", ".join(self._answers)}')
        self._answers[name] = answer

    def forget(self) -> None:
        """Refuse requests: the node is not configured."""
        self._answers = dict.fromkeys(self._answers)

    def _answer(self, name: str, request: Any, response: Any) -> Any:
        answer = self._answers[name]
        if answer is None:
            response.message = 'not configured'
            return response
        return answer(request, response)
