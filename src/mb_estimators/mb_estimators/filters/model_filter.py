"""What all filters around a multibody model share: workspaces, arguments, errors, estimate."""

from collections.abc import Callable, Sequence
from functools import cached_property
from math import inf
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from mb_estimators.filter import (
    DivergenceError,
    Estimate,
    FilterError,
    ImpossibleReadingError,
    Innovation,
)
from mb_estimators.filter.errors import why_no_step
from mb_estimators.filter.estimate import InnovationViews
from mb_estimators.filter.layout import Layout
from mb_estimators.filter.summary import summary
from mb_estimators.filters.channels import (
    beside_motion,
    biased_channels,
    channel_records,
    channel_variances,
    estimated_mountings,
    estimated_scales,
    write_biases,
    write_mountings,
)
from mb_estimators.filters.free_play import FreePlay
from mb_estimators.filters.orientations import Orientations, motion_views
from mb_estimators.filters.shared_settings import FormSettings
from mb_estimators.filters.uncertainty import FullCovariance, checked_covariance
from mb_estimators.kernels.correction import IMPOSSIBLE, NOT_POSITIVE, SINGULAR, correct
from mb_estimators.kernels.orientations import follow_bodies
from mb_estimators.kernels.sensor_states import walk_biases
from mb_estimators.kernels.start import accelerate, start
from mb_estimators.records.filter import FILTER, filter_sizes
from mb_estimators.state import without_views
from mb_model import Mechanism
from mb_model.arrays import FloatArray, RecordArray
from mb_model.jit import RecordType
from mb_model.kernel_api import bound
from mb_sensors import Sensor, SensorError
from mb_sensors.kernel_api import refer_to

_REAL = np.dtype(np.float64)
_DIVERGED = {SINGULAR: 'the mechanism is in a singular position',
             NOT_POSITIVE: 'the covariance is not positive definite'}


class ModelFilter:
    """A filter whose steps are compiled: a layout of states, two kernels, and settings.

    The kernels work on a model, its workspace and a record, FILTER or one with the same fields for
    sensors, biases and innovations.  A plugin has its Settings, a `_layout`, a kernel that
    predicts, and one that corrects if it differs; what else it needs it makes in `_prepare`.
    """

    # (models, works, filters, dt [s]) -> whether the model could step
    _predict_kernel: ClassVar[Callable[..., bool]]
    # (models, works, channels, filters, readings) -> status, see kernels.correction.correct
    _correct_kernel: ClassVar[Callable[..., int]] = staticmethod(correct)
    takes_rotations = True      # readings of orientations, which count from each prediction
    moves_prescribed = True     # steps coordinates prescribed over time; reset puts them at t = 0
    steps_explicitly = False    # by forward Euler, which stiff dampers make unstable
    takes_mountings = False     # estimates how sensors are turned on their bodies
    takes_scales = False        # estimates errors of sensitivity
    follows_rolling = False     # keeps bodies from slipping that roll
    refuses_orientations = ''   # why orientations cannot be degrees of freedom; '': they can be
    _force: Any = 0.0           # that is estimated, beside known ones
    _begins_accelerated = False     # a step begins with the accelerations that it finds
    _follows_late = False       # references follow before the next step: what began there goes on
    _record_type: ClassVar[RecordType] = FILTER     # or one in place of it

    def __init__(self, mechanism: Mechanism, sensors: Sequence[Sensor], dt: float,
                 settings: Any) -> None:
        """Set up at the mechanism's start.  Raises FilterError, SensorError, MechanismError."""
        self.settings, self.mechanism, self.dt = settings, mechanism, dt
        self.sensors = tuple(sensors)
        self._g, self._n = len(mechanism.independent), len(mechanism.coordinates)
        self.layout = layout = self._layout()
        self._models, self._works = mechanism.model, mechanism.workspace()
        self._channels = self._channel_records()
        self._biases = biased_channels(sensors)
        self._mountings = estimated_mountings(sensors, self.takes_mountings)
        self._scales = estimated_scales(sensors, self.takes_scales)
        turned = [sensor.name for sensor in sensors if sensor.is_rotation]
        self._reads_rotations = bool(turned)
        if turned and not self.takes_rotations:
            raise SensorError(f'{", ".join(turned)}: this filter keeps readings for longer than '
                              'they count from one prediction, and takes no orientations')
        self._own_records: dict[str, RecordArray] = {}      # of a plugin, that it goes on from
        self._sizes = filter_sizes(self._models, len(self._channels), layout.size,
                                   layout.size - layout['bias'].start)
        self._filters = self._record_type.of(self._sizes)
        record = self._filters[0]
        record['gate'], record['dt'] = settings.gate, dt
        record['sensor_variance'][:len(self._channels)] = channel_variances(sensors)
        record['motion'], record['states'] = layout['bias'].start, layout.size
        write_biases(record, sensors, self._biases)
        write_mountings(record, sensors, self._mountings)
        self._uncertainty = FullCovariance(self._filters, layout)
        self._orientations = Orientations(mechanism)
        self._turns = bool(self._orientations.changes.size)     # orientations are coordinates
        self.play = FreePlay(mechanism, sensors, self._channels)
        self._prepare()
        self.reset(mechanism.z0, mechanism.zd0)

    def _layout(self) -> Layout:
        """Return the layout of the states, of mechanism, sensors, dt and settings."""
        raise NotImplementedError

    def _channel_records(self) -> RecordArray:
        """Return the measurement records of all sensors, one per channel."""
        return channel_records(self.sensors)

    def _prepare(self) -> None:
        """Write settings to the record, and make further ones, before the first reset."""
        if isinstance(self.settings, FormSettings):
            self._filter['direct'] = self.settings.form == 'direct'

    @cached_property
    def _work(self):
        return self._works[0]

    @cached_property
    def _filter(self):
        return self._filters[0]

    @cached_property
    def _forces_on_z(self):
        return self._work['forces'][:self._g]

    @cached_property
    def _motion(self):
        return motion_views(self.mechanism, self._work)

    @cached_property
    def _innovation(self):
        return InnovationViews(self._filters, len(self._channels))

    __getstate__, __repr__ = without_views, summary

    @property
    def state(self) -> dict[str, RecordArray]:
        """The records that the filter goes on from, by name; see filter.Rewindable."""
        return {'work': self._works, 'filter': self._filters} | self._own_records

    def reset(self, z: ArrayLike, zd: ArrayLike, covariance: ArrayLike | None = None) -> None:
        """Start from z, zd (g) at t = 0, on the branch of the mechanism file.

        covariance: of z, zd and, if they are states, zdd; without it as the layout says.
        Raises FilterError if that is no covariance, and what Mechanism.assemble raises.
        """
        if covariance is not None:
            covariance = checked_covariance(covariance, self._uncertainty.given)
        self._work['q'][:self._n] = self.mechanism.assemble(z)
        self._work['zd'][:self._g] = zd
        if not start(self._models, self._works):
            raise FilterError(f'{self.mechanism.name}: the start is a singular position')
        self._filter['bias'] = 0.0
        if self._turns:
            self._follow()
            covariance = self._at_references(covariance)
        self._uncertainty.start(covariance)

    def predict(self, dt: float, inputs: Any = None) -> None:
        """Move the state on by dt [s], under known forces on z (g); see Filter.predict."""
        if not 0.0 < dt < inf:
            raise ValueError(f'dt: {dt} must be > 0')
        acts_anew = self._begins_accelerated and (
            self._forces_on_z != (0.0 if inputs is None else inputs)).any()
        (self.act if acts_anew else self._hold)(inputs)
        if self._turns and self._follows_late:
            self._follow()
        if not self._step(dt):
            raise DivergenceError(why_no_step(self.mechanism, dt, self.steps_explicitly))
        if self._biases:
            self._walk_biases(dt)
        if self._turns and not self._follows_late:
            self._follow()

    def _hold(self, inputs: ArrayLike | None) -> None:
        """Let known forces (g) act on z from now on; None: none."""
        self._forces_on_z[:] = 0.0 if inputs is None else inputs

    def act(self, inputs: ArrayLike | None) -> None:
        """Let known forces on z (g) act where the state is; see filter.Acting."""
        self._hold(inputs)
        self._forces_on_z += self._force
        if not self._accelerate():
            raise DivergenceError(_DIVERGED[SINGULAR])

    def _accelerate(self) -> bool:
        """Let accelerations be as the forces make them; return whether the model has any."""
        return accelerate(self._models, self._works)

    @cached_property
    def _follows(self):
        orientations = self._orientations
        return bound(follow_bodies, (self._models, self._works, self._filters,
                                     orientations.indices, orientations.changes))

    def _follow(self) -> None:
        """Let the references of orientations follow the bodies; errors are carried over."""
        self._orientations.moved = self._follows()

    def _at_references(self, covariance: Any) -> FloatArray:
        """Return a covariance, None: the layout's, of rates in bodies' frames as states have it."""
        if covariance is None:
            covariance = np.diag(self.layout.variances[:self._uncertainty.given])
        return self._orientations.at_references(
            covariance, self._motion[1], self._motion[2], 2 * self._g)

    def _step(self, dt: float) -> bool:
        """Predict model and covariance over dt [s]; return False if the model cannot step."""
        return self._predict_kernel(self._models, self._works, self._filters, dt)

    def _walk_biases(self, dt: float) -> None:
        """Let the biases walk for dt [s]."""
        walk_biases(self._filters, dt)

    def correct(self, readings: ArrayLike) -> Innovation:
        """Take in the readings of all channels, NaN where there is none; see Filter.correct."""
        readings = np.ascontiguousarray(readings, _REAL)
        if readings.shape != self._channels.shape:
            raise ValueError(f'readings: {readings.size} must be {self._channels.size}')
        if self._reads_rotations:
            readings = readings.copy()
            refer_to(self._channels, self._work['q'], readings)
        self._require_corrected(self._correct(readings))
        if self._turns and not self._follows_late:
            self._follow()
        return self._last_innovation()

    def _last_innovation(self) -> Innovation:
        """Return the Innovation that the kernels have left in the record."""
        return self._innovation.innovation()

    def use_gate(self, used: bool) -> None:
        """Leave readings out by the setting `gate`, or leave none out: others judge them."""
        self._filter['gate'] = self.settings.gate if used else 0.0

    def correct_widened(self, readings: ArrayLike, added: ArrayLike) -> Innovation:
        """Correct by readings whose noise has that much more variance (channels), this once.

        A part that keeps noise beside `sensor_variance` overrides it.  Otherwise as `correct`.
        """
        variance = self._filter['sensor_variance'][:len(self._channels)]    # all kernels read it
        before, wide = variance.copy(), np.greater(added, 0.0)
        variance += added
        try:
            return self.correct(readings)
        finally:
            variance[wide] = before[wide]

    def _require_corrected(self, status: int) -> None:
        """Raise what `correct` does unless a status is CORRECTED."""
        if status == IMPOSSIBLE:
            raise ImpossibleReadingError('no position of the mechanism fits them')
        if status:
            raise DivergenceError(_DIVERGED[status])

    def _correct(self, readings: FloatArray) -> int:
        """Correct model and covariance by readings; return what kernels.correction.correct does."""
        return self._correct_kernel(self._models, self._works, self._channels, self._filters,
                                    readings)

    @property
    def estimate(self) -> Estimate:
        """The present Estimate."""
        motion, covariance = self._motion, self._covariance()
        if self._orientations.independent:
            motion, covariance = self._orientations.in_bodies(
                self._models, self._works, covariance, motion)
        z, zd, zdd, q, qd, qdd = (view.copy() for view in motion)
        return self.play.widened(Estimate(
            z, zd, zdd, q, qd, qdd, covariance, **self._further_estimates()))

    def _covariance(self) -> FloatArray:
        """Return the covariance of z and zd, and of zdd if that is estimated."""
        return self._uncertainty.of_motion()

    @property
    def state_covariance(self) -> FloatArray:
        """The covariance of all states of the layout (l, l)."""
        return self._uncertainty.of_states()

    def _further_estimates(self) -> dict[str, Any]:
        """Return what an Estimate has beside the motion, by field: here of sensors."""
        if not (self._biases or self._mountings or self._scales):
            return {}
        return beside_motion(
            self._biases, self._mountings, self._scales, self._filter['bias'].tolist(),
            self._uncertainty.deviations('bias').tolist())
