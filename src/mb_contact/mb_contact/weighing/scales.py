"""Scales of a tool: its load while it is at its stop, by links that an empty tool has shown."""

from math import nan
from typing import NamedTuple

from mb_contact.arguments import ContactError
from mb_contact.payload.kernels.mass_filter_record import CONTRADICTION
from mb_contact.weighing.link_balance import LinkBalance
from mb_contact.weighing.tool_settings import ToolSettings
from mb_model import Mechanism
from mb_model.arrays import FloatArray

IDLE = 'neither at its stop nor emptied'
STANDING = 'no cylinder moves that carries the load'


class Weighing(NamedTuple):
    """One weighing, from stamp to stamp [ns]: mass [kg]; NaN: unknown.

    gross: by masses and friction of the file; net: by the masses and friction that weighings
    before have shown; contradiction: why its deviation is wider than noise explains, in words.
    """

    begin: int
    end: int
    empty: bool
    gross: float
    gross_deviation: float
    net: float
    net_deviation: float
    contradiction: str


class Scales:
    """Weighs the load while the tool is at its stop, and nothing after it was opened.

    What an empty tool weighs shows errors of the links' masses and of friction, see LinkBalance.
    The load is the same until the tool is opened: where the stop is found again, what was weighed
    before counts, too.
    """

    def __init__(self, mechanism: Mechanism, settings: ToolSettings, dt: float) -> None:
        """Set up; dt [s]: from one estimate to the next.  Raises ContactError, MechanismError."""
        if mechanism.circuit is None:
            raise ContactError(f'{mechanism.file}: has no section hydraulics, expected one whose '
                               'cylinders carry the tool')
        for name in settings.angles:
            if name not in mechanism.independent:
                raise ContactError(f'angles: {name}: expected one of '
                                   f'{", ".join(mechanism.independent)}')
        self._settings = settings
        self._balance = LinkBalance(mechanism, settings, dt)
        self._angle = mechanism.independent.index(settings.angles[-1])
        self.reset()

    def reset(self) -> None:
        """Forget everything."""
        self._balance.reset()
        self._empty: bool | None = None
        self._loaded = False            # something is in the balance of a load
        self._begin = self._seen = 0
        self.reason = IDLE

    @property
    def running(self) -> Weighing | None:
        """The weighing so far, None if there is none."""
        if self._empty is None:
            return None
        balance, empty = self._balance, self._empty
        gross, gross_deviation, _ = balance.load(False, carried=False)
        net, net_deviation, contradicts = balance.load(empty)
        if empty:
            net = net_deviation = nan
        return Weighing(self._begin, self._seen, empty, gross, gross_deviation, net, net_deviation,
                        CONTRADICTION if contradicts else '')

    def add(self, stamp: int, z: FloatArray, zd: FloatArray, zdd: FloatArray, q: FloatArray,
            p: FloatArray, covariance: FloatArray, at_stop: bool) -> Weighing | None:
        """Add an estimate and pressures (v) [Pa]; return a Weighing that has just ended.

        covariance (3g, 3g): of the motion; at_stop: whether there is a reading of the stop.
        """
        settings, done = self._settings, None
        opened = bool(z[self._angle] > settings.opened)
        if opened or at_stop:
            if self._empty is not opened:
                done = self._end(stamp)
                if opened and self._loaded:
                    self._balance.carry(empty=False)
                self._empty, self._begin, self._loaded = opened, stamp, not opened
            self._seen = stamp
        if self._empty is None:
            self.reason = IDLE
            return done
        if stamp - self._seen > 1e9 * (settings.emptied if self._empty else settings.shown):
            return self._end(stamp)
        counts = self._balance.add(z, zd, zdd, q, p, covariance)
        self.reason = '' if counts else STANDING
        return done

    def _end(self, stamp: int) -> Weighing | None:
        """End a weighing; return it if it found a mass."""
        weighing = self.running
        if weighing is None:
            return None
        if weighing.empty:
            self._balance.carry(empty=True)
        self._empty = None
        certain = weighing.gross_deviation if weighing.empty else weighing.net_deviation
        return weighing._replace(end=stamp) if certain <= self._settings.largest_deviation else None
