"""Results of a filter: an estimate, and how readings fitted it."""

from typing import Any, NamedTuple

import numpy as np

from mb_model.arrays import FloatArray, IntArray, RecordArray

_NONE = np.empty(0, np.int64)       # channels


class HydraulicEstimate(NamedTuple):
    """The estimated state of a hydraulic circuit and its uncertainty, in SI units."""

    pressures: FloatArray               # absolute [Pa] (v)
    spools: FloatArray                  # of valves, -1..1 (u)
    forces: FloatArray                  # of cylinders: of pressures less friction [N] (c)
    covariance: FloatArray              # of the stacked z, zd, zdd, pressures, spools


class Estimate(NamedTuple):
    """An estimated state, and how uncertain it is; what a filter does not estimate is None.

    Attributes, by topic:

    - Motion: `z`, `zd`, `zdd` (g); `q`, `qd`, `qdd` (n); `covariance` of the stacked z, zd
      (2g, 2g), or z, zd, zdd (3g, 3g).
    - Forces: `forces` on the degrees of freedom (g), `force_deviations` (g); `force_probability`:
      that sources of forces explain them, see there.
    - Parameters: `parameters`, name -> of the model, or force of a source; `parameter_covariance`
      (p, p) in their order; `parameter_deviations`.
    - Sensors: `biases`, channel -> offset; `mountings`, topic.axis -> turn [rad]; `scales`, channel
      (to axis) -> error of sensitivity; `bias_deviations`, `mounting_deviations`,
      `scale_deviations`.
    - Oil: `hydraulics`, a HydraulicEstimate.
    - Hypotheses on the machine (h): `hypotheses`, their names; `hypothesis_probabilities`.

    A tuple for the same reason as Innovation.
    """

    z: FloatArray
    zd: FloatArray
    zdd: FloatArray
    q: FloatArray
    qd: FloatArray
    qdd: FloatArray
    covariance: FloatArray
    forces: FloatArray | None = None
    force_deviations: FloatArray | None = None
    parameters: dict[str, float] | None = None
    parameter_covariance: FloatArray | None = None
    biases: dict[str, float] | None = None
    bias_deviations: dict[str, float] | None = None
    hydraulics: HydraulicEstimate | None = None
    mountings: dict[str, float] | None = None
    mounting_deviations: dict[str, float] | None = None
    scales: dict[str, float] | None = None
    scale_deviations: dict[str, float] | None = None
    force_probability: float | None = None
    hypotheses: tuple[str, ...] | None = None
    hypothesis_probabilities: FloatArray | None = None

    def __repr__(self) -> str:
        with np.errstate(invalid='ignore'):     # of a covariance that rounding has spoilt
            deviations: Any = np.sqrt(np.diagonal(self.covariance))
        g, rows = len(self.z), dict[str, tuple[Any, Any]]()
        for k, name in enumerate(('z', 'zd', 'zdd')):
            rows[name] = getattr(self, name), deviations[k * g:(k + 1) * g]
        rows['forces'] = self.forces, self.force_deviations
        for name in ('parameter', 'bias', 'mounting', 'scale'):
            plural = 'biases' if name == 'bias' else f'{name}s'
            values, known = getattr(self, plural), getattr(self, f'{name}_deviations') or {}
            for key, value in (values or {}).items():
                rows[key] = [value], [known[key]] if key in known else []
        width = max(map(len, rows))
        return '\n'.join(['Estimate, with standard deviations', *(
            f'  {name:{width}}  {_with_deviations(*row)}' for name, row in rows.items()
            if row[0] is not None)])

    @property
    def parameter_deviations(self) -> dict[str, float] | None:
        """Standard deviation of each parameter by name, None if there are none."""
        if self.parameters is None or self.parameter_covariance is None:
            return None
        deviations = np.sqrt(np.diagonal(self.parameter_covariance))
        return dict(zip(self.parameters, deviations.tolist(), strict=True))


class Innovation(NamedTuple):
    """How readings fitted the prediction, before the correction.

    channels: numbers of the present readings among the filter's channels (k); residual: reading
    minus prediction (k); covariance: of the residual (k, k); nis: residual' covariance^-1 residual,
    of chi-square distribution with k degrees of freedom if the filter is consistent; rejected:
    channels whose readings the filter left out as incredible.  A tuple, because it is made in every
    step, and that takes a while.
    """

    channels: IntArray
    residual: FloatArray
    covariance: FloatArray
    nis: float
    rejected: IntArray


def _with_deviations(values: Any, deviations: Any) -> str:
    """Return numbers and their deviations, of the first ones or None, as text."""
    known = [] if deviations is None else list(deviations)
    return ', '.join(f'{value:.5g}' + (f' ± {known[k]:.2g}' if k < len(known) else '')
                     for k, value in enumerate(values))


class InnovationViews:
    """The Innovation that a kernel has left in the record (1) of a filter, of k channels."""

    def __init__(self, filters: RecordArray, k: int) -> None:
        """Set up."""
        record = filters[0]
        self._count, self._rejected_count, self._nis = (
            filters[name] for name in ('count', 'rejected_count', 'nis'))
        self._views = (record['present'][:k], record['residual'][:k],
                       record['residual_covariance'][:k, :k])
        self._rejected = record['rejected'][:k]
        self._every = np.arange(k)
        self._every.flags.writeable = False

    def innovation(self) -> Innovation:
        """Return an Innovation with arrays of its own, but for channels, where all count."""
        present, residual, covariance = self._views
        count, rejected = self._count.item(), self._rejected_count.item()
        if count == len(present):
            present = self._every
        else:
            present, residual, covariance = (
                present[:count].copy(), residual[:count], covariance[:count, :count])
        return Innovation(present, residual.copy(), covariance.copy(), self._nis.item(),
                          self._rejected[:rejected].copy() if rejected else _NONE)
