"""Results of a filter: an estimate, and how readings fitted it."""

from typing import NamedTuple

import numpy as np

from mb_model.arrays import FloatArray, IntArray


class HydraulicEstimate(NamedTuple):
    """The estimated state of a hydraulic circuit and its uncertainty, in SI units."""

    pressures: FloatArray               # absolute [Pa] (v)
    spools: FloatArray                  # of valves, -1..1 (u)
    forces: FloatArray                  # of cylinders: of pressures less friction [N] (c)
    covariance: FloatArray              # of the stacked z, zd, zdd, pressures, spools


class Estimate(NamedTuple):
    """The estimated state: independent coordinates (g), dependent ones (n), and its uncertainty.

    A tuple for the same reason as Innovation.
    """

    z: FloatArray
    zd: FloatArray
    zdd: FloatArray
    q: FloatArray
    qd: FloatArray
    qdd: FloatArray
    covariance: FloatArray              # of the stacked z, zd (2g, 2g), or z, zd, zdd (3g, 3g)
    forces: FloatArray | None = None    # estimated force on each degree of freedom (g)
    force_deviations: FloatArray | None = None          # and its standard deviation
    parameters: dict[str, float] | None = None          # name -> of the model, or force of a source
    parameter_covariance: FloatArray | None = None      # of them, in their order (p, p)
    biases: dict[str, float] | None = None              # channel -> estimated offset
    bias_deviations: dict[str, float] | None = None     # and its standard deviation
    hydraulics: HydraulicEstimate | None = None         # of the oil, where there is some
    mountings: dict[str, float] | None = None           # topic.axis -> estimated turn [rad]
    mounting_deviations: dict[str, float] | None = None         # and its standard deviation
    scales: dict[str, float] | None = None        # channel (to axis) -> error of sensitivity
    scale_deviations: dict[str, float] | None = None    # and its standard deviation
    force_probability: float | None = None      # that sources of forces explain them, see there
    hypotheses: tuple[str, ...] | None = None           # on the machine, that the filter weighs (h)
    hypothesis_probabilities: FloatArray | None = None  # and how likely each is (h)

    @property
    def parameter_deviations(self) -> dict[str, float] | None:
        """Standard deviation of each parameter by name, None if there are none."""
        if self.parameters is None or self.parameter_covariance is None:
            return None
        deviations = np.sqrt(np.diagonal(self.parameter_covariance))
        return dict(zip(self.parameters, deviations.tolist(), strict=True))


class Innovation(NamedTuple):
    """How readings fitted the prediction, before the correction.

    channels: places of the present readings among the filter's channels (k); residual: reading
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
