"""Waitables: other things than topics, services and timers that an executor can wait for."""
from types import GenericAlias


class NumberOfEntities:
    """How many entities of each kind a waitable adds to a wait set."""

    __slots__ = [
        'num_subscriptions', 'num_guard_conditions', 'num_timers', 'num_clients', 'num_services',
        'num_events']

    def __init__(self, num_subs=0, num_gcs=0, num_timers=0, num_clients=0, num_services=0,
                 num_events=0):
        self.num_subscriptions = num_subs
        self.num_guard_conditions = num_gcs
        self.num_timers = num_timers
        self.num_clients = num_clients
        self.num_services = num_services
        self.num_events = num_events

    def __add__(self, other):
        total = type(self)()
        for name in self.__slots__:
            setattr(total, name, getattr(self, name) + getattr(other, name))
        return total

    def __iadd__(self, other):
        for name in self.__slots__:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        return self

    def __repr__(self):
        values = ', '.join(f'{name}={getattr(self, name)}' for name in self.__slots__)
        return f'<{type(self).__name__}({values})>'


class Waitable:
    """Something that adds entities to a wait set, and takes and handles what comes of them."""

    __class_getitem__ = classmethod(GenericAlias)  # Waitable[...] in annotations

    def __init__(self, callback_group):
        self.callback_group = callback_group
        self.callback_group.add_entity(self)
        self._executor_event = False  # taken by an executor that has not run it yet
        self._futures = []

    def __enter__(self):
        raise NotImplementedError('Must be implemented by subclass')

    def __exit__(self, exception_type, exception, traceback):
        raise NotImplementedError('Must be implemented by subclass')

    def add_future(self, future):
        self._futures.append(future)

    def remove_future(self, future):
        if future in self._futures:
            self._futures.remove(future)

    def is_ready(self, wait_set):
        """Whether entities of this waitable are ready in the wait set."""
        raise NotImplementedError('Must be implemented by subclass')

    def take_data(self):
        """Take what is there, so that the wait set does not wake again for it."""
        raise NotImplementedError('Must be implemented by subclass')

    async def execute(self, taken_data):
        """Handle what take_data() gave."""
        raise NotImplementedError('Must be implemented by subclass')

    def get_num_entities(self):
        raise NotImplementedError('Must be implemented by subclass')

    def add_to_wait_set(self, wait_set):
        """Add all entities, by their handles, with wait_set.add_subscription(handle) and so on."""
        raise NotImplementedError('Must be implemented by subclass')


class ServedByItsParts(Waitable):
    """Of many entities that an executor serves one by one; there is nothing left to wait for."""

    def __enter__(self):
        pass

    def __exit__(self, exception_type, exception, traceback):
        pass

    def is_ready(self, wait_set):
        return False

    def take_data(self):
        return None

    async def execute(self, taken_data):
        pass

    def add_to_wait_set(self, wait_set):
        pass
