"""When the messages of a bag are due: play, pause, seek, step, rate, stop, from any thread."""
import threading
import time

NANOSECONDS = 1e9
SLOWEST, FASTEST = 1e-6, 1e6        # times as fast as wall time


class PlayClock:
    """Bag time [ns] that runs with wall time times `rate`, unless it is paused.

    Not locked: its owner sees to that.
    """

    def __init__(self, start, rate, paused):
        self._bag, self._wall = start, time.monotonic_ns()
        self._rate, self._paused = rate, paused

    @property
    def paused(self):
        return self._paused

    @paused.setter
    def paused(self, paused):
        self.jump(self.now())
        self._paused = paused

    @property
    def rate(self):
        return self._rate

    @rate.setter
    def rate(self, rate):
        self.jump(self.now())
        self._rate = rate

    def now(self):
        """Bag time [ns]."""
        if self._paused:
            return self._bag
        return self._bag + int((time.monotonic_ns() - self._wall) * self._rate)

    def jump(self, bag_time):
        """Go on from another bag time [ns]."""
        self._bag, self._wall = bag_time, time.monotonic_ns()

    def seconds_until(self, bag_time):
        """Wall time [s] until then, if it runs on like this; no longer than can be waited for."""
        return min((bag_time - self.now()) / self._rate / NANOSECONDS, threading.TIMEOUT_MAX)


class Playback:
    """Hands over each message of a reader when it is due by the bag's clock.

    `start`, `end` are bag times [ns]; `publish(topic, data)` is called in the thread of `run`.
    """

    def __init__(self, reader, publish, start, end, rate=1.0, paused=False):
        self._reader, self._publish = reader, publish
        self._start, self._end = start, end
        self._clock = PlayClock(start, rate, paused)
        self._changed = threading.Condition()
        self._seek_to = start
        self._steps = 0             # messages to publish although paused
        self._published = 0
        self._stopped = False
        self._finished = False

    def run(self, loop=False):
        """Play to the end (again and again with `loop`) or until `stop`."""
        with self._changed:
            self._clock.jump(self._start)
        while self._play_through() and loop:
            self.seek(self._start)
        with self._changed:
            self._finished = True
            self._changed.notify_all()

    def _play_through(self):
        """Play until the end; whether the end was reached."""
        while True:
            with self._changed:
                if self._stopped:
                    return False
                target, self._seek_to = self._seek_to, None
            if target is not None:
                self._reader.seek(target)
            if not self._reader.has_next():
                return True
            topic, data, stamp = self._reader.read_next()
            if stamp > self._end:
                return True
            if self._wait_for(stamp):
                self._publish(topic, data)
                with self._changed:
                    self._published += 1
                    self._changed.notify_all()

    def _wait_for(self, stamp):
        """Wait until this bag time; False if playing is to go on elsewhere, or to end."""
        with self._changed:
            while not self._stopped and self._seek_to is None:
                if self._clock.paused and self._steps:
                    self._steps -= 1
                    self._clock.jump(stamp)
                    return True
                seconds = None if self._clock.paused else self._clock.seconds_until(stamp)
                if seconds is not None and seconds <= 0:
                    return True
                self._changed.wait(seconds)
            return False

    def now(self):
        """Bag time [ns], never past the end."""
        with self._changed:
            return min(self._clock.now(), self._end)

    def set_paused(self, paused):
        """Pause or go on."""
        with self._changed:
            self._clock.paused = paused
            self._changed.notify_all()

    @property
    def paused(self):
        return self._clock.paused

    @property
    def rate(self):
        return self._clock.rate

    def set_rate(self, rate):
        """Play so many times as fast; False if that is too slow or too fast, or no number."""
        if not SLOWEST <= rate <= FASTEST:
            return False
        with self._changed:
            self._clock.rate = rate
            self._changed.notify_all()
        return True

    def seek(self, bag_time):
        """Go on from another bag time [ns]."""
        with self._changed:
            self._seek_to = bag_time
            self._clock.jump(bag_time)
            self._changed.notify_all()

    def step(self, count, timeout=5.0):
        """While paused, publish the next messages at once; how many were published."""
        with self._changed:
            if not self._clock.paused or self._finished:
                return 0
            before = self._published
            self._steps += count
            self._changed.notify_all()
            self._changed.wait_for(
                lambda: self._published - before >= count or self._finished, timeout)
            return self._published - before

    def stop(self):
        """End soon."""
        with self._changed:
            self._stopped = True
            self._changed.notify_all()
