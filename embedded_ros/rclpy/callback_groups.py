"""Which callbacks may run at the same time."""
from threading import Lock
import weakref


class CallbackGroup:
    """Base of the groups; executors ask them before they run a callback."""

    def __init__(self):
        self.entities = set()

    def add_entity(self, entity):
        self.entities.add(weakref.ref(entity))

    def has_entity(self, entity):
        return weakref.ref(entity) in self.entities

    def can_execute(self, entity):
        """Whether the entity's callback may begin now."""
        raise NotImplementedError()

    def beginning_execution(self, entity):
        """Note the begin of a callback; False if it may not run after all."""
        raise NotImplementedError()

    def ending_execution(self, entity):
        raise NotImplementedError()


class ReentrantCallbackGroup(CallbackGroup):
    """Callbacks may run all at once, even one beside itself."""

    def can_execute(self, entity):
        return True

    def beginning_execution(self, entity):
        return True

    def ending_execution(self, entity):
        pass


class MutuallyExclusiveCallbackGroup(CallbackGroup):
    """Callbacks take turns."""

    def __init__(self):
        super().__init__()
        self._active_entity, self._turn = None, Lock()  # locked while a callback has its turn

    def can_execute(self, entity):
        assert weakref.ref(entity) in self.entities
        return not self._turn.locked()

    def beginning_execution(self, entity):
        assert weakref.ref(entity) in self.entities
        if not self._turn.acquire(blocking=False):
            return False
        self._active_entity = entity
        return True

    def ending_execution(self, entity):
        assert self._active_entity == entity
        self._active_entity = None
        self._turn.release()
