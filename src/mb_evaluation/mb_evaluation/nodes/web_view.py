"""The view in a browser: what markers show, and plots of the estimate, while the machine runs."""

from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from ipaddress import ip_address
import sys
from typing import Any

import numpy as np
from rcl_interfaces.msg import Log
from rclpy.clock import Clock, ClockType
from rclpy.serialization import deserialize_message
from std_msgs.msg import Header
from visualization_msgs.msg import MarkerArray

from mb_evaluation.live.addresses import LOOPBACK
from mb_evaluation.live.layout import LOG, MACHINE, layout, standing
from mb_evaluation.live.server import LiveServer, rerun
from mb_evaluation.nodes import STATE_TOPICS
from mb_evaluation.nodes.drawn.curves import Curves
from mb_evaluation.nodes.drawn.meshes import Meshes
from mb_evaluation.nodes.drawn.shapes import shapes
from mb_evaluation.nodes.glances import Glances
from mb_evaluation.robot import meshes_of
from mb_evaluation.scene import extent
from mb_interfaces.msg import (
    ContactEstimate,
    EstimatorStatus,
    MechanismState,
    PayloadEstimate,
)
from mb_model import Settings, comparable_motion, load_mechanism, motion_errors, setting
from mb_ros.guards import GuardedNode
from mb_ros.node_main import REST, NodeMain
from mb_ros.parameters import declare_settings
from mb_ros.qos import STREAM_QOS
from mb_ros.stamps import MalformedStampError, nanoseconds, serialised_stamp
from mb_ros.states import state_arrays

KEPT = 2000             # states of the truth that wait for their estimate
LEVELS = {30: 'WARN', 40: 'ERROR', 50: 'CRITICAL'}      # of logs that are shown
LOOK = 1.0              # wall time between two looks at the server [s]
STALE = 1.0             # simulated time after which a marker that is not renewed goes [s]


@dataclass(frozen=True)
class WebViewSettings(Settings):
    """What is shown, where, and how much of it is kept."""

    mechanism: str = setting('four_bar', help='Name of a mechanism or path of its file')
    address: str = setting(LOOPBACK, help='IP address of this machine on which browsers find the '
                           'page; 127.0.0.1: on this machine alone, 0.0.0.0: on all networks')
    web_port: int = setting(9090, at_least=1, at_most=65535,
                            help='Port of the page; the next one that is free')
    names: tuple[str, ...] = setting(
        (), help='Names by which browsers may call this machine, beside its own and localhost')
    rate: float = setting(20.0, unit='Hz', at_least=0.01, at_most=1000.0,
                          help='How often by wall time each curve gets a point at most')
    memory: float = setting(256.0, unit='MB', at_least=1.0, at_most=1e6,
                            help='How much of the run is kept for '
                            'browsers that come later; the oldest goes first')


class WebViewNode(GuardedNode):
    """Serves a page with the markers of the run and plots of what the estimator says."""

    def __init__(self, **options: Any):
        super().__init__('web_view', **options)
        settings = declare_settings(self, WebViewSettings)
        self._mechanism = mechanism = load_mechanism(settings.mechanism)
        size, least, greatest = extent(mechanism)
        self._layout = partial(layout, mechanism, size, 0.5 * (least + greatest))
        self._server = LiveServer(self._layout(), settings.address,
                                  settings.web_port, settings.memory, settings.names)
        self._weighs = False
        self._recording = self._server.recording
        self._recording.log(MACHINE, standing(mechanism), static=True)
        self._curves = Curves(self._recording)
        meshes = meshes_of(mechanism, settings.mechanism)
        self._meshes = Meshes(self._recording, mechanism, [
            one for one in meshes if not one.problem])
        self._drawn: dict[str, float] = {}          # entity -> when it was drawn [s]
        self._truths: OrderedDict[int, bytes] = OrderedDict()       # stamp [ns] -> serialised state
        self._listen(settings.rate)
        for name, problem in {one.name: one.problem for one in meshes if one.problem}.items():
            self.get_logger().warning(f'mesh {name} is not shown: {problem}')
        self.create_timer(LOOK, self._look, clock=Clock(clock_type=ClockType.STEADY_TIME))
        self.get_logger().info(f'watch the run at {self._server.url}')
        if not ip_address(settings.address).is_loopback:
            self.get_logger().info('every user who reaches this address can watch: there is no '
                                   'password')

    def _look(self):
        """End where nothing can be shown any more."""
        if problem := self._server.problem():
            self.get_logger().fatal(problem)
            sys.exit(1)

    def _listen(self, rate: float):
        """Subscribe to everything that is shown."""
        self.create_subscription(MarkerArray, 'markers/markers', self._draw, 10)
        self.create_subscription(Log, '/rosout', self._show_log, 100)
        self.create_subscription(MechanismState, STATE_TOPICS['prototype'], self._keep, STREAM_QOS,
                                 raw=True)
        glances = Glances(self, rate)
        for kind, topic, plot in (
                *((MechanismState, topic, partial(self._plot_state, stream))
                  for stream, topic in STATE_TOPICS.items()),
                (EstimatorStatus, 'estimator/status', self._plot_status),
                (PayloadEstimate, 'payload_estimator/payload', self._plot_masses),
                (ContactEstimate, 'contact_detector/contact', self._plot_forces)):
            glances.take(kind, topic, partial(self._plot, topic, plot))

    def _plot(self, topic: str, plot: Callable[[Any], None], message: Any):
        """Plot a message; warn of one that fits nothing, such as of another machine's."""
        try:
            plot(message)
        except ValueError as error:
            self.get_logger().warning(f'{topic}: a message cannot be plotted: {error}',
                                      throttle_duration_sec=5.0)

    def _at(self, header: Header) -> float:
        """Set the time of the next logs to the stamp of a message; return it [s]."""
        stamp = nanoseconds(header.stamp) * 1e-9
        self._recording.set_time('time', duration=stamp)
        return stamp

    def _draw(self, message: MarkerArray):
        """Show markers, and clear markers that are not renewed."""
        if not message.markers:
            return
        now = self._at(message.markers[0].header)
        try:
            for entity, shape in shapes(message.markers):
                self._recording.log(f'{MACHINE}/{entity}', shape)
                self._drawn[entity] = now
        except ValueError as error:
            self.get_logger().warning(str(error), throttle_duration_sec=5.0)
        for entity, drawn in list(self._drawn.items()):
            if not 0.0 <= now - drawn <= STALE:
                self._recording.log(f'{MACHINE}/{entity}', rerun().Clear(recursive=True))
                del self._drawn[entity]

    def _keep(self, data: bytes):
        """Keep a truth for the estimate of the same instant; glances warn of wrong stamps."""
        with suppress(MalformedStampError):
            self._truths[serialised_stamp(data)] = data
        if len(self._truths) > KEPT:
            self._truths.popitem(last=False)

    def _plot_state(self, stream: str, message: MechanismState):
        """Plot the degrees of freedom, and the error of the observer."""
        self._at(message.header)
        z = np.array(message.z)
        if len(z) != len(message.independent):
            raise ValueError(f'{len(z)} values for {message.independent}')
        self._curves.motion(stream, message.independent, z)
        if stream == 'observer':
            self._meshes.move(np.array(message.q))
        truth = self._truths.get(nanoseconds(message.header.stamp))
        if stream == 'observer' and truth is not None:
            truth = deserialize_message(truth, MechanismState)
            if truth.independent != message.independent:
                raise ValueError(f'it has {message.independent}, the truth {truth.independent}')
            error = motion_errors(self._motion(message), self._motion(truth))[0][0]
            variances = np.diagonal(state_arrays(message)['covariance'])[:len(z)]
            deviation = np.sqrt(variances) if variances.size else np.full(len(z), np.nan)
            self._curves.error(message.independent, error, deviation)

    def _motion(self, message: MechanismState):
        """Return the ComparableMotion of a MechanismState."""
        return comparable_motion(self._mechanism, *(
            np.array([getattr(message, name)]) for name in ('z', 'zd', 'zdd', 'q', 'qd', 'qdd')))

    def _plot_status(self, message: EstimatorStatus):
        self._at(message.header)
        self._curves.nis(message.nis, len(message.channels))
        if message.hypotheses and not self._weighs:
            self._weighs = True
            self._recording.send_blueprint(self._layout(weighs=True))
        self._curves.probabilities(message.hypotheses, message.hypothesis_probabilities)

    def _plot_masses(self, message: PayloadEstimate):
        self._at(message.header)
        self._curves.masses(message.parameter, message.mass, message.deviation)

    def _plot_forces(self, message: ContactEstimate):
        self._at(message.header)
        for one in message.forces:
            self._curves.forces(one.method, message.independent, one.force)

    def _show_log(self, message: Log):
        """Show the warnings of nodes."""
        if message.level in LEVELS:
            text = f'{message.name}: {message.msg}'
            self._recording.log(LOG, rerun().TextLog(text, level=LEVELS[message.level]))

    def destroy_node(self):
        """End the server, too."""
        self._server.close()
        super().destroy_node()


main = NodeMain(WebViewNode, rest=REST)
