"""What counts as a contact, and the results of a contact detector."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from mb_contact.external_force import MomentumObserverSettings
from mb_model import setting
from mb_model.arrays import IntArray

DIRECT = 'direct'
MOMENTUM_OBSERVER = 'momentum_observer'
METHODS = DIRECT, MOMENTUM_OBSERVER      # in the order of kernels


@dataclass(frozen=True)
class DetectionSettings(MomentumObserverSettings):
    """Contacts: methods, thresholds, and uncertainty of the model."""

    method: str = setting(
        'both', choices=(*METHODS, 'both'),
        help='direct: forces from outside by the estimated accelerations, without delay; '
             'momentum_observer: by the change of momentum, with the delay of its gain; both: '
             'the first to detect')
    direct_threshold: tuple[float, ...] = setting(
        (7.5, 7.5, 0.5), unit='N or N m', above=0.0,
        help='Force by the direct method that counts as a contact, on each degree of '
             'freedom: a list of these, or of one number for all')
    momentum_threshold: tuple[float, ...] = setting(
        (7.5, 7.5, 0.5), unit='N or N m', above=0.0,
        help='Force by the momentum observer that counts as a contact, likewise')
    largest_deviation: float = setting(
        0.5, above=0.0,
        help='A method does not judge states whose covariance alone lets its force deviate by more '
             'than this share of a threshold, as while a filter settles, or before a late IMU has '
             'given the accelerations')
    release: float = setting(
        0.5, above=0.0, at_most=1.0,
        help='A contact lasts as long as a force is above this share of its threshold')
    holding_time: float = setting(
        0.05, unit='s', at_least=0.0, help='and for this long after that')
    longest_gap: float = setting(
        0.05, unit='s', above=0.0,
        help='After a longer time without a usable state the detector starts anew')
    settling_time: float = setting(
        0.0, unit='s', at_least=0.0,
        help='So long after the first state, and the first one after a gap, nothing is judged, as '
             'the force of a momentum observer on a machine that falls until its drives hold it')
    rest_velocity: float = setting(
        0.01, unit='m/s or rad/s', at_least=0.0,
        help='A machine of which no degree of freedom is faster stands: static friction may keep '
             'a share of a push when it ends; 0: never')
    kept_share: float = setting(
        0.3, at_least=0.0, at_most=1.0,
        help='A contact with a machine that has stood from its beginning on ends when all forces '
             'are steadily below this share of their largest; they count from there until the '
             'machine moves')
    rest_time: float = setting(
        0.5, unit='s', above=0.0, help='Steadily: for this long')
    body_uncertainty: float = setting(
        0.05, at_least=0.0,
        help='Standard deviation of mass and inertia of each body, as a share of it')
    force_uncertainty: float = setting(
        0.1, at_least=0.0,
        help='Standard deviation of each friction, spring or other force of the mechanism file, '
             'as a share of it')
    torque_deviation: float = setting(
        0.02, unit='N or N m', at_least=0.0,
        help='Standard deviation of the noise of a drive')


class Force(NamedTuple):
    """The force from outside on each degree of freedom (g) [N or N m], by one method.

    covariance (g, g), or (0, 0) if the state has none; threshold (g): beyond it the force counts as
    a contact; exceeds: whether it does.
    """

    method: str
    force: np.ndarray
    covariance: np.ndarray
    threshold: np.ndarray
    exceeds: bool


class Contact(NamedTuple):
    """Whether something touches, as judged at one state.

    since: stamp of the state at which it was detected [ns], 0 without a contact; method: that
    detected it, '' without; forces: a Force of each method with an estimate at this state, by
    METHODS; reason: why not all methods have one, in words.
    """

    detected: bool
    since: int
    method: str
    forces: tuple[Force, ...]
    reason: str


class ContactTrack(NamedTuple):
    """Contacts at many states (k), with the fields of Contact.

    force {method: (k, g)} and covariance {method: (k, g, g)} of the methods that run, NaN where
    a state gave none.
    """

    stamps: np.ndarray
    detected: np.ndarray
    since: np.ndarray
    method: list[str]
    force: dict[str, np.ndarray]
    covariance: dict[str, np.ndarray]
    reason: list[str]

    @property
    def beginnings(self) -> IntArray:
        """Rows at which a contact was detected."""
        before = np.concatenate([[0], self.since[:-1]])
        return np.flatnonzero(self.detected & (self.since != before))
