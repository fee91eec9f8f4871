"""Methods that find forces from outside: by accelerations, or as observers of the momentum."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from mb_contact.arguments import ContactError
from mb_contact.external_force.encoder_pose import pose_of
from mb_contact.kernels.external_force import (
    DRIVES,
    EXTENDED_STATE,
    FIRST_ORDER,
    OBSERVER,
    SLIDING_MODE,
    direct_at,
    momentum_at,
    observe_at,
)
from mb_model import Mechanism, MechanismError, Settings, setting
from mb_model.arrays import FloatArray, RecordArray
from mb_model.jit import sizes_of

_NONE = np.zeros(0)


class DrivenMechanism:
    """A mechanism and its drives, as records for kernels: models, works, records of the drives."""

    def __init__(self, mechanism: Mechanism, drives: Sequence[str] | None = None,
                 follows: bool = False) -> None:
        """Set up at the mechanism's start.

        drives: names of the coordinates on which drives act (d), any of the mechanism's; default:
        the drives of its file; follows: whether z of orientations counts from where each body is,
        as in estimates, so that zd is its angular velocity in its frame and forces are moments
        there; else from the reference of the file.  Raises ContactError.
        """
        drives = mechanism.drives if drives is None else drives
        if mechanism.model['driven'][0]:
            raise ContactError(f'{mechanism.name}: forces from outside: not for mechanisms '
                               'with prescribed coordinates')
        mechanism = mechanism.in_full('forces from outside')
        mechanism.require_holonomic('forces from outside')
        mechanism.require_masses('forces from outside')
        if mechanism.flexible_bodies:
            raise ContactError(f'{mechanism.name}: forces from outside: not for flexible bodies, '
                               f'such as {mechanism.flexible_bodies[0]}')
        for name in drives:
            if name not in mechanism.coordinates:
                raise ContactError(f'{mechanism.name}: drives: {name}: unknown coordinate, '
                                   f'expected some of {", ".join(mechanism.coordinates)}')
        if len(set(drives)) < len(drives):
            raise ContactError(f'{mechanism.name}: drives: {", ".join(drives)}: every coordinate '
                               'may be named once')
        self.mechanism, self.drives, self.g = mechanism, tuple(drives), mechanism.g
        self.models, self.works = mechanism.model, mechanism.workspace()
        self.records = DRIVES.of(sizes_of(self.models))
        self.records['count'] = len(self.drives)
        self.records['coordinate'][0, :len(self.drives)] = [
            mechanism.coordinates.index(name) for name in self.drives]
        self.records['start'][0, :mechanism.n] = mechanism.q0
        self.records['follows'] = follows
        turns = self._turns()
        self.records['turns'] = len(turns)
        self.records['turn'][0, :len(turns)] = np.reshape(turns, (-1, 3))
        self.works['q'][0, :mechanism.n] = mechanism.q0

    def _turns(self) -> list[list[int]]:
        """Return the three indices in z of each orientation; raises ContactError."""
        model, turns = self.models[0], []
        independent = model['independent'][:self.g].tolist()
        for chart in model['chart_coordinate'][:model['charts']].tolist():
            rows = [independent.index(index) for index in chart if index in independent]
            if len(rows) not in (0, len(chart)):
                raise ContactError(f'{self.mechanism.name}: forces from outside: an orientation is '
                                   'a degree of freedom in part, expected all of it or none')
            turns += [rows] if rows else []
        return turns

    def settle(self, z: FloatArray) -> None:
        """Take the branch of the file at z (g), from where states are followed.

        Orientations count from the reference of the file.
        """
        n, size = self.mechanism.n, int(self.models['n_total'][0])
        self.works['q'][0, n:size] = self.models['fixed'][0, n:size]
        self.works['q'][0, :n] = self.mechanism.assemble(z)

    def momentum(self, z: FloatArray, zd: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the momentum M_bar zd and its rate without external forces (g, g)."""
        observers = self.observers(1.0)
        if not momentum_at(self.models, self.works, observers, self.numbers('z', z, self.g),
                           self.numbers('zd', zd, self.g)):
            raise self.singular(z)
        return observers['new_momentum'][0, :self.g], observers['new_rate'][0, :self.g]

    def observers(self, gain: ArrayLike, law: int = FIRST_ORDER) -> RecordArray:
        """Return the record of an observer with gains, one or g, and the law of its kernels.

        Raises ContactError.
        """
        gains = np.array(gain)
        if gains.size not in (1, self.g) or not (gains > 0.0).all():
            raise ContactError(f'gain: {list(gains)} must be one number > 0, or {self.g}')
        observers = OBSERVER.of(sizes_of(self.models))
        observers['gain'][0, :self.g], observers['law'] = gains, law
        return observers

    def torques(self, torques: ArrayLike, name: str = 'torques') -> FloatArray:
        """Return torques, or what `name` says of drives, as an array (d); raises ValueError."""
        return self.numbers(name, torques, len(self.drives))

    def numbers(self, name: str, values: ArrayLike, size: int) -> FloatArray:
        """Return values as an array of a size; raises ValueError."""
        array = np.ascontiguousarray(values, dtype=np.float64)
        if array.shape != (size,):
            raise ValueError(f'{name}: shape {array.shape} must be ({size},)')
        return array

    def singular(self, z: FloatArray) -> MechanismError:
        """Return the error of a state without a motion."""
        return MechanismError(f'{self.mechanism.name}: no position, or a singular one, at {z}')


ESTIMATE, ENCODERS = 'estimate', 'encoders'


@dataclass(frozen=True)
class DirectMethodSettings(Settings):
    """Where the motion is from, beside the accelerations."""

    motion: str = setting(
        ESTIMATE, choices=(ESTIMATE, ENCODERS),
        help='Pose and velocity of the direct method: estimate: by the filter that gives the '
             'accelerations; encoders: by forward and differential kinematics of the encoders of '
             'the drives, as in Mohammad et al. 2025, Sec. III-A')


class DirectMethod:
    """F_ext = M_x xdd + c_x + g_x + F_fr - F_m, without delay.

    The accelerations have to be measured or estimated, as by a filter with an accelerometer;
    differences of encoder readings are too noisy.  Source: Mohammad et al. 2025, Eq. (5).
    """

    Settings = DirectMethodSettings

    def __init__(self, mechanism: Mechanism, drives: Sequence[str] | None = None,
                 settings: DirectMethodSettings | None = None) -> None:
        """Set up; see DrivenMechanism.  Raises ContactError."""
        self.settings = settings or self.Settings()
        self._driven = DrivenMechanism(mechanism, drives)
        self._q = mechanism.q0
        if self.settings.motion == ENCODERS and len(self._driven.drives) != mechanism.g:
            raise ContactError(f'{mechanism.name}: motion: {ENCODERS}: {len(self._driven.drives)} '
                               f'drives, expected one for each of {mechanism.g} degrees of freedom')

    def force(self, z: FloatArray, zd: FloatArray, zdd: FloatArray, torques: FloatArray,
              angles: FloatArray | None = None, speeds: FloatArray | None = None) -> FloatArray:
        """Return the force from outside on each degree of freedom (g) [N or N m].

        z, zd, zdd (g): near the last state, or the file's; torques (d): of the drives;
        angles, speeds (d): of the drives by their encoders, which replace z and zd where
        the settings say so: x = FK(q_a), xd = J q_a_dot.
        Raises MechanismError where there is no position or a singular one, ValueError.
        """
        driven = self._driven
        if self.settings.motion == ENCODERS:
            if angles is None or speeds is None:
                raise ValueError(f'motion: {ENCODERS}: angles and speeds of the drives are missing')
            z, zd = self._moved(angles, speeds)
        motion = [driven.numbers(name, values, driven.g)
                  for name, values in (('z', z), ('zd', zd), ('zdd', zdd))]
        if not direct_at(driven.models, driven.works, driven.records, *motion,
                         driven.torques(torques), _NONE):
            raise driven.singular(z)
        return driven.works['forces'][0, :driven.g].copy()

    def _moved(self, angles: FloatArray, speeds: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return z and zd (g) where the drives have angles and speeds (d)."""
        driven, mechanism = self._driven, self._driven.mechanism
        self._q, zd, _ = pose_of(mechanism, driven.drives, driven.torques(angles, 'angles'),
                                 driven.torques(speeds, 'speeds'), self._q)
        return self._q[mechanism.indices(mechanism.independent)], zd


@dataclass(frozen=True)
class MomentumObserverSettings(Settings):
    """How fast the observer follows."""

    gain: tuple[float, ...] = setting(
        (100.0,), unit='1/s', one_for_all=True,
        help='Gain of the momentum observer: of each degree of freedom, or one for all; the '
             'inverse of its delay')


class MomentumObserver:
    """Follows the force from outside on each degree of freedom as a first-order lag.

    See kernels.external_force.  Source: Mohammad et al. 2025, Eqs. (3), (4).
    """

    Settings: ClassVar[Any] = MomentumObserverSettings
    _law: ClassVar[int] = FIRST_ORDER       # see kernels.external_force

    def __init__(self, mechanism: Mechanism, drives: Sequence[str] | None = None,
                 settings: Any = None) -> None:
        """Set up at the mechanism's start; see DrivenMechanism.  Raises ContactError."""
        self.settings = settings or self.Settings()
        self._driven = DrivenMechanism(mechanism, drives)
        self._observers = self._driven.observers(self.settings.gain, self._law)
        self._force = self._observers['force'][0, :mechanism.g]
        self.reset(mechanism.z0, mechanism.zd0)

    @property
    def force(self) -> FloatArray:
        """The estimate (g) [N or N m]."""
        return self._force.copy()

    def reset(self, z: FloatArray, zd: FloatArray) -> None:
        """Start without force from outside at z, zd (g), on the branch of the file."""
        self._driven.settle(z)
        self._observers['noted'] = 0
        self._force[:] = 0.0
        self._observe(inf, z, zd, np.zeros(len(self._driven.drives)))

    def update(self, dt: float, z: FloatArray, zd: FloatArray, torques: FloatArray) -> FloatArray:
        """Return the estimated force (g) at z, zd (g), dt [s] after the last state.

        torques (d) [N or N m]: of the drives, their mean over the step.  Raises MechanismError
        where there is no position or a singular one, ValueError.
        """
        if not 0.0 < dt < inf:
            raise ValueError(f'dt: {dt} must be > 0')
        self._observe(dt, z, zd, torques)
        return self.force

    def _observe(self, dt: float, z: FloatArray, zd: FloatArray, torques: FloatArray) -> None:
        driven = self._driven
        if not observe_at(driven.models, driven.works, driven.records, self._observers, dt,
                          driven.numbers('z', z, driven.g), driven.numbers('zd', zd, driven.g),
                          driven.torques(torques)):
            raise driven.singular(z)


@dataclass(frozen=True)
class ExtendedStateSettings(Settings):
    """How fast the observer follows."""

    gain: tuple[float, ...] = setting(
        (200.0,), unit='1/s', one_for_all=True,
        help='Bandwidth of the extended-state observer: of each degree of freedom, or one for all; '
             'a force that jumps is followed late by 2 / gain')


class ExtendedStateObserver(MomentumObserver):
    """Momentum and force from outside are states, both poles at -gain.

    See kernels.external_force.  Source: Gao 2003, "Scaling and bandwidth-parameterization".
    """

    Settings = ExtendedStateSettings
    _law = EXTENDED_STATE


@dataclass(frozen=True)
class SlidingModeSettings(Settings):
    """How fast the forces may change that the observer follows without delay."""

    gain: tuple[float, ...] = setting(
        (5000.0,), unit='N/s', one_for_all=True,
        help='Largest rate of a force [N/s or N m/s]: of each degree of freedom, or one for all; '
             'noise of the readings is followed as fast')


class SlidingModeObserver(MomentumObserver):
    """Follows the momentum by the super-twisting law, and so the force in finite time.

    See kernels.external_force.  Source: Garofalo et al. 2019, "Sliding mode momentum observers for
    estimation of external torques and joint acceleration".
    """

    Settings = SlidingModeSettings
    _law = SLIDING_MODE
