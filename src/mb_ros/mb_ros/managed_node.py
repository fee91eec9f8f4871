"""What the nodes of the packages share: the life of a ROS 2 managed node."""

from collections.abc import Callable, Collection, Mapping
import traceback
from typing import Any, ClassVar, TypeVar

from rclpy.lifecycle import LifecycleNode, TransitionCallbackReturn
from rclpy.qos import QoSProfile
from std_srvs.srv import Trigger

from mb_ros.changing_parameters import ChangingParameters
from mb_ros.confirmed_clock import ConfirmedClock
from mb_ros.diagnostics import OK, WARN, Diagnostics, Health
from mb_ros.guards import GuardedNode
from mb_ros.input_meter import InputMeter
from mb_ros.lasting_entities import LastingEntities
from mb_ros.lasting_services import Answer, LastingServices
from mb_ros.node_inputs import NodeInputs
from mb_ros.parameters import declare_autostart
from mb_ros.qos import STREAM_QOS
from mb_ros.stamps import nanoseconds

SUCCESS, FAILURE = TransitionCallbackReturn.SUCCESS, TransitionCallbackReturn.FAILURE
_Chosen = TypeVar('_Chosen')        # a class of settings


class ManagedNode(GuardedNode, LifecycleNode):
    """A node that is configured, activated, paused, reset and cleaned up as ROS 2 tools ask for.

    A node class makes its parts in `configure`, and overrides the other hooks that it needs.  All
    that `configure` and later callbacks create is destroyed at clean-up.  Private names have two
    underscores, so that node classes do not hide them.
    """

    first_settings: ClassVar[tuple[type, ...]] = ()     # that can be set before it is configured
    own_services: ClassVar[Mapping[str, type]] = {}     # kinds by name, see `serve`
    wake_interval = 0.0     # shortest wall time between two wakes of its process [s]
    __holds = __configured = __active = __starting = False      # until it is set up
    __time: ConfirmedClock = None       # type: ignore[assignment]     # until it is set up
    __inputs: NodeInputs = None     # type: ignore[assignment]     # until it is set up

    def __init__(self, name: str, **options: Any) -> None:
        """Set up and, unless the parameter `autostart` is false, configure and activate.

        Raises ValueError if that fails for what the user gave.
        """
        super().__init__(name, **options)
        self.__problem: BaseException | None = None     # in the way of a transition
        self.__reported_wrong = ''  # whose messages cannot come, or are not wanted
        self.__inputs = NodeInputs(self, lambda: self.__active)
        autostart = declare_autostart(self)
        self.__parameters_that_change = ChangingParameters(self, lambda: self.__configured)
        self.__diagnostics = Diagnostics(self, self.__look)
        for verb, answer in (('reset', self.__on_reset), ('pause', self.__on_pause),
                             ('resume', self.__on_resume)):
            self.create_service(Trigger, f'~/{verb}', answer)
        self.__services = LastingServices(self, self.own_services)
        self.__time = ConfirmedClock(self, self.__on_return)
        self.__lasting = LastingEntities(self)
        if autostart:
            self.__start()
            return
        for settings_class in self.first_settings:
            try:
                self.settings_of(settings_class)
            except ValueError:
                continue        # reported when it is configured

    # What a node class overrides

    def configure(self) -> None:
        """Read settings, make library objects, publishers and subscriptions.

        Raises ValueError for what the user gave and cannot be used.
        """
        raise NotImplementedError

    def activate(self) -> None:
        """Begin to work; the publishers do already."""

    def deactivate(self) -> None:
        """Stop working; the publishers still work."""

    def cleanup(self) -> None:
        """Let go of what is neither memory nor an entity of ROS, also of half a `configure`."""

    def reset(self) -> str:
        """Forget all inputs; return what the node waits for now, in words."""
        raise NotImplementedError

    def begin_again(self, before: int, now: int) -> None:
        """Be as after a start, because simulated time, or the time of a bag, has gone back.

        before, now: times [ns]; inputs may have gone back already.
        """
        self.reset()

    def health(self) -> Health:
        """Return the Health of the active node."""
        raise NotImplementedError

    # What a node class uses

    def settings_of(self, settings_class: type[_Chosen], prefix: str = '',
                    defaults: Mapping[str, Any] | None = None,
                    change: Callable[[_Chosen], Callable[[], object]] | None = None,
                    fixed: Collection[str] = ()) -> _Chosen:
        """Return settings made from parameters that begin with a prefix; for `configure`.

        defaults: values that replace the class's own; change(settings): prepares for settings that
        are about to be set while the node is configured and returns what puts them in place, called
        when all of them are accepted; raises ValueError for settings that cannot be used.  Without
        it, and for names in fixed, other values are refused until the node is cleaned up.
        """
        return self.__parameters_that_change.settings_of(
            settings_class, prefix, defaults, change, fixed)

    def subscribe(self, message_type: type, topic: str, callback: Callable[[Any], object],
                  qos: QoSProfile = STREAM_QOS, **options: Any) -> None:
        """Subscribe; messages that come while the node is not active are ignored.

        How they come and how long they take is said by diagnostics.  Five thousand wait while the
        node cannot take them; none counts that is delivered twice.  What a publisher offers less
        than the quality of service is taken as it is offered.
        """
        self.__inputs.subscribe(message_type, topic, callback, qos, **options)

    def offer(self, topic: str) -> Callable[..., object]:
        """Return hand_over(stamp [ns], *what) to the nodes of this process that take a topic.

        While the node is active they are called at once, before there is a message.
        """
        return self.__inputs.offer(topic)

    def take_offered(self, topic: str, callback: Callable[..., object]) -> bool:
        """Take what another node of this process offers on a topic: callback(*what).

        Otherwise as `subscribe`; nodes that were made before this one may offer some.  Returns
        False if none of them does: then there are messages only.
        """
        return self.__inputs.take_offered(topic, callback)

    def serve(self, name: str, answer: Answer) -> None:
        """Answer requests to one of `own_services`, until clean-up; for `configure`."""
        self.__services.serve(name, answer)

    def believed_time(self) -> int:
        """Return the time [ns], which no single wrong message on /clock changes."""
        return self.__time.now()

    def meter(self, name: str, nanoseconds_of: Callable[[Any], int] = nanoseconds) -> InputMeter:
        """Return the InputMeter of an input, which diagnostics report until clean-up."""
        return self.__inputs.meter(name, nanoseconds_of)

    def create_lifecycle_publisher(self, *args, **kwargs):
        """Create a publisher that is silent while the node is not active."""
        publisher = super().create_lifecycle_publisher(*args, **kwargs)
        if self.__active:
            publisher.on_activate(None)
        return publisher

    # Transitions

    def on_configure(self, state):
        """Let the node class configure itself; what the user gave wrong is reported."""
        self.__parameters_that_change.begin()
        self.__holds = True
        try:
            self.configure()
        except ValueError as error:
            self.__note(error, str(error))
            self.__release()
            return FAILURE
        except BaseException as error:
            self.__note(error, traceback.format_exc())      # rclpy goes on without a word
            self.__release()
            raise
        self.__parameters_that_change.end()
        self.__configured = True
        return super().on_configure(state)

    def on_activate(self, state):
        """Let messages in and out."""
        outcome = super().on_activate(state)
        try:
            self.activate()
        except BaseException as error:
            self.__note(error, traceback.format_exc())
            raise
        self.__active = True
        return outcome

    def on_deactivate(self, state):
        """Ignore messages and publish none."""
        self.__active = False
        self.deactivate()
        return super().on_deactivate(state)

    def on_cleanup(self, state):
        """Be as before it was configured."""
        outcome = super().on_cleanup(state)
        self.__release()
        return outcome

    def on_shutdown(self, state):
        """Let go of everything."""
        outcome = super().on_shutdown(state)
        self.__release()
        return outcome

    def on_error(self, state):
        """Be as before it was configured, whatever went wrong."""
        outcome = super().on_error(state)
        self.__release()
        return outcome

    def destroy_node(self):
        """Let go of devices first."""
        if self.__time is not None:
            self.__time.close()
            self.__time = None          # type: ignore[assignment]
        self.__let_go()
        if self.__inputs:
            self.__inputs.withdraw()
        super().destroy_node()

    def __start(self) -> None:
        """Configure and activate, or raise what is in the way."""
        self.__starting = True
        if self.trigger_configure() != SUCCESS or self.trigger_activate() != SUCCESS:
            self.__inputs.withdraw()
            raise self.__problem or RuntimeError('a transition has failed')
        self.__starting = False

    def __note(self, error: BaseException, words: str) -> None:
        """Keep an error for the maker of the node or, once it has started, log it."""
        self.__problem = error
        if not self.__starting and not isinstance(error, KeyboardInterrupt):
            self.get_logger().error(words)

    def __let_go(self) -> None:
        """Let go of what the node class holds, once."""
        if self.__holds:
            self.__holds = self.__configured = self.__active = False
            self.__inputs.forget()
            self.__services.forget()
            self.cleanup()

    def __release(self) -> None:
        """Undo what was configured, also by half."""
        self.__let_go()
        self.__lasting.destroy_others()

    # Services and diagnostics

    def __on_reset(self, _, response):
        response.success = self.__configured
        response.message = self.reset() if self.__configured else 'not configured'
        return response

    def __on_return(self, before, now):
        if self.__configured:
            self.get_logger().warning(
                f'the clock has gone back by {(before - now) / 1e9:.3f} s: starting again')
            self.begin_again(before, now)

    def __on_pause(self, _, response):
        response.success = self.__active and self.trigger_deactivate() == SUCCESS
        response.message = 'paused' if response.success else 'not active'
        return response

    def __on_resume(self, _, response):
        possible = self.__configured and not self.__active
        response.success = possible and self.trigger_activate() == SUCCESS
        response.message = 'resumed' if response.success else 'not paused'
        return response

    def __look(self) -> Health:
        """Return the present Health."""
        self.believed_time()        # which may find that time has gone back
        if not self.__configured:
            return Health(OK, 'not configured')
        figures, problem = self.__inputs.pace()
        health = self.health() if self.__active else Health(OK, 'paused')
        if problem and health.level == OK:
            health.level, health.message = WARN, problem
        wrong = '; '.join(filter(None, (self.__inputs.wrong_types(), self.__inputs.wrong_stamps(),
                                        self.__time.others())))
        if wrong:
            health.level, health.message = max(health.level, WARN), wrong
        if wrong != self.__reported_wrong:
            self.__reported_wrong = wrong
            if wrong:
                self.get_logger().warning(wrong)
        health.values |= figures
        if self.__time.denied:
            health.values['steps of the clock not believed'] = self.__time.denied
        return health
