"""Parameters of inverse dynamics, by least squares on the forces of the drives."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.linalg import qr, solve_triangular

from mb_contact.arguments import ContactError
from mb_contact.dynamics.samples import DynamicsFitSettings, DynamicsSamples, Rows, rows_of
from mb_model import Mechanism, MechanismError, Regressor
from mb_model.arrays import FloatArray, IntArray
from mb_model.file_api import overrides_text, parameter_overrides
from mb_sensors import RecordedMotion, fit_covariance

_RANK = 1e-7        # rest of a column against the largest one, if it depends on others
_SHARE = 1e-6       # a factor below this share of the parameters' sizes is none
_ITERATIONS = 10
_CONVERGED = 1e-3       # of the last change, against its deviation
_PROBES = 50            # instants at which linearity is tried
_LINEAR = 1e-9          # what a linear change leaves, against the forces
_FEWEST = 10            # equations for each parameter
_HARDLY = 0.5           # deviation against the value
_FAR = 3.0              # deviations from a value that a parameter does not have
_DIGITS = 6


@dataclass(frozen=True)
class BaseParameter:
    """A sum that can be identified: the parameter `name`, plus factor times each of `others`."""

    name: str
    others: dict[str, float]

    def value(self, values: Mapping[str, float]) -> float:
        """Return the sum for parameters by name."""
        return values[self.name] + sum(factor * values[name]
                                       for name, factor in self.others.items())

    @property
    def text(self) -> str:
        """The sum in words: 'inner_mass + 0.33 outer_mass'."""
        return self.name + ''.join(f' {"-" if factor < 0.0 else "+"} {abs(factor):.4g} {name}'
                                   for name, factor in self.others.items())


def base_parameters(names: Sequence[str], slopes: FloatArray, sizes: FloatArray,
                    ) -> tuple[tuple[BaseParameter, ...], IntArray]:
    """Return (BaseParameters, their columns (b)): a largest set that slopes distinguish.

    slopes (k, p): of the residual by the parameters; sizes (p): of the parameters, by which their
    columns are compared.  The columns left out are combinations of these; their parameters keep
    their values, and errors of these enter the sums.  Source: Gautier 1991 (base parameters
    by QR with pivoting).
    """
    triangle, order = qr(slopes * sizes, mode='r', pivoting=True)
    triangle = triangle[:len(names)]
    diagonal = np.abs(np.diagonal(triangle))
    rank = int(np.sum(diagonal > _RANK * diagonal[0])) if diagonal[0] > 0.0 else 0
    kept, left = order[:rank], order[rank:]
    shares = (solve_triangular(triangle[:rank, :rank], triangle[:rank, rank:]) if rank
              else np.empty((0, len(left))))
    base = []
    for row in np.argsort(kept):
        others = {names[other]: float(share * sizes[kept[row]] / sizes[other])
                  for other, share in zip(left, shares[row], strict=True) if abs(share) > _SHARE}
        base.append(BaseParameter(names[kept[row]], others))
    return tuple(base), np.sort(kept)


@dataclass(frozen=True)
class DynamicsFit:
    """Fitted parameters.

    parameters: the fitted ones, by name; kept: the others, which keep the values of the mechanism,
    as the motion hardly determines them; base: BaseParameters, the sums that the motion determines;
    deviations (1 sigma) of these sums by the name of each, if the kept values are right,
    covariance (b, b); residual (w, g): on the degrees of freedom, means over windows [N or N m];
    doubts: sentences about undetermined parameters; disowned: why the parameters are not to be
    used, in sentences.
    """

    parameters: dict[str, float]
    kept: tuple[str, ...]
    base: tuple[BaseParameter, ...]
    deviations: dict[str, float]
    covariance: np.ndarray
    residual: np.ndarray
    doubts: tuple[str, ...]
    disowned: tuple[str, ...] = ()


def fit_dynamics(mechanism: Mechanism, parameters: Sequence[str],
                 recordings: Sequence[DynamicsSamples], drives: Sequence[str] = (),
                 settings: DynamicsFitSettings | None = None, keep: bool = True) -> DynamicsFit:
    """Return the DynamicsFit of parameters of a mechanism, by name or path.

    recordings: DynamicsSamples without contacts; drives: names of coordinates, default the
    mechanism's.  Least squares of J_d^T torques = inverse dynamics, weighted by the errors of
    torques and, through the model, of the motion.  Parameters that do not enter linearly are
    fitted by repetition (Gauss-Newton).

    keep: a parameter that the motion hardly determines keeps the mechanism's value if this is
    possible, the worst first, and the others are fitted again; False: all have their best fit.
    Raises ContactError, MechanismError.
    """
    settings, drives = settings or DynamicsFitSettings(), drives or mechanism.drives
    if not drives:
        raise ContactError(f'{mechanism.file}: drives: missing; the dynamics follow from them')
    indices = mechanism.indices(drives)
    known = dict(zip(parameters, Regressor(mechanism, parameters).values.tolist(), strict=True))
    kept, names = {}, list(parameters)
    fit = _fit(mechanism, names, recordings, indices, settings)
    hardly = _hardly_determined(fit, known)
    while keep and hardly and names:
        worst = next(iter(hardly))
        kept[worst] = f'{hardly[worst]}; {worst} keeps {known[worst]:.4g}'
        names.remove(worst)
        fit = (_fit(mechanism, names, recordings, indices, settings) if names
               else _nothing_of(fit))
        hardly = _hardly_determined(fit, known)
    return replace(fit, kept=tuple(kept), doubts=(*kept.values(), *hardly.values(), *fit.doubts),
                   disowned=(*hardly.values(), *fit.disowned))


def _nothing_of(fit: DynamicsFit) -> DynamicsFit:
    """Return a DynamicsFit in which no parameter is fitted any more."""
    return replace(fit, parameters={}, base=(), deviations={}, covariance=np.zeros((0, 0)),
                   doubts=(), disowned=('no parameter is determined',))


def _fit(mechanism: Mechanism, parameters: Sequence[str], recordings: Sequence[DynamicsSamples],
         indices: IntArray, settings: DynamicsFitSettings) -> DynamicsFit:
    """Return the DynamicsFit of all parameters; indices: of the drives in q."""
    regressor = Regressor(mechanism, parameters)
    sizes = np.where(regressor.values == 0.0, 1.0, np.abs(regressor.values))
    for _ in range(_ITERATIONS):
        rows = rows_of(regressor, recordings, indices, settings)
        step = _Step(regressor.names, rows, sizes)
        values = regressor.values + step.change
        linear = _is_linear(regressor, recordings[0].motion, step.change)
        regressor.values = values
        if linear or step.is_small:
            return _result(regressor, step, rows)
    raise ContactError('the fit does not converge: the motion hardly determines these parameters, '
                       'or they are far from the values of the file')


class _Step:
    """The change (p) of the parameters that fits Rows best, and how certain it is."""

    def __init__(self, names: Sequence[str], rows: Rows, sizes: FloatArray) -> None:
        residual, slopes = rows.scaled
        if len(residual) < _FEWEST * len(names):
            raise ContactError(f'{len(residual)} samples of forces: at least '
                               f'{_FEWEST * len(names)} are needed')
        self.base, columns = base_parameters(names, slopes, sizes)
        if not self.base:
            raise ContactError('no parameter has any effect on the forces of this motion')
        slopes = slopes[:, columns]
        change = np.linalg.lstsq(slopes * sizes[columns], residual, rcond=None)[0] * sizes[columns]
        left_over = residual - slopes @ change
        scale = max(np.sqrt(np.mean(left_over ** 2)), 1e-300)
        self.covariance = fit_covariance(slopes / scale, left_over / scale,
                                         np.ones(len(left_over)), rows.blocks)
        self.deviations = np.sqrt(np.diagonal(self.covariance))
        self.is_small = np.all(np.abs(change) <= _CONVERGED * self.deviations)
        self.change = np.zeros(len(names))
        self.change[columns] = change


def _is_linear(regressor: Regressor, motion: RecordedMotion, change: FloatArray) -> bool:
    """Return whether the forces change with the parameters as their slopes say.

    Also if no machine can have such parameters, which happens if they are hardly determined: then
    repetition does not help.
    """
    some = motion[::1 + len(motion) // _PROBES]
    before = regressor.along(some.z, some.zd, some.zdd)
    old, regressor.values = regressor.values, regressor.values + change
    try:
        after = regressor.along(some.z, some.zd, some.zdd)
    except MechanismError:
        return True
    finally:
        regressor.values = old
    missed = after.force - before.force - before.by_parameter @ change
    return np.abs(missed).max() <= _LINEAR * np.abs(after.force).max()


def _result(regressor: Regressor, step: _Step, rows: Rows) -> DynamicsFit:
    """Return the DynamicsFit at the end."""
    parameters = dict(zip(regressor.names, regressor.values.tolist(), strict=True))
    deviations = {base.name: float(deviation)
                  for base, deviation in zip(step.base, step.deviations, strict=True)}
    return DynamicsFit(parameters, (), step.base, deviations, step.covariance,
                       rows.residual - rows.slopes @ step.change,
                       tuple(_doubts(parameters, step.base, deviations)))


def _doubts(parameters: Mapping[str, float], base: Sequence[BaseParameter],
            deviations: Mapping[str, float]) -> Iterator[str]:
    """Yield sentences about parameters that the motion does not determine."""
    summed = {other for sum_ in base for other in sum_.others}
    for name in parameters:
        if name in summed:
            yield (f'{name}: cannot be separated from '
                   f'{", ".join(sum_.name for sum_ in base if name in sum_.others)}; keeps '
                   f'{parameters[name]:.4g}')
        elif name not in deviations:
            yield (f'{name}: has no effect on the forces of this motion; keeps '
                   f'{parameters[name]:.4g}')


def _hardly_determined(fit: DynamicsFit, known: Mapping[str, float]) -> dict[str, str]:
    """Return sentences on sums that the motion hardly determines, the worst first, by parameter.

    known: expected values of the parameters.  A sum that certainly differs from its expected value
    is in no doubt, however small it is.
    """
    shares = {}
    for sum_ in fit.base:
        value, deviation = sum_.value(fit.parameters), fit.deviations[sum_.name]
        share = deviation / max(abs(value), 1e-300)
        if not share <= _HARDLY and not abs(sum_.value(known) - value) > _FAR * deviation:
            shares[sum_.name] = share, (f'{sum_.text}: {value:.3g} +- {deviation:.2g} is hardly '
                                        'determined')
    return {name: text for name, (_, text) in
            sorted(shares.items(), key=lambda item: -item[1][0])}


def dynamics_overrides(fit: DynamicsFit, mechanism: Mechanism) -> dict[str, Any]:
    """Return a DynamicsFit as overrides of the mechanism, for Mechanism.replace."""
    return parameter_overrides(mechanism, {
        name: float(f'{value:.{_DIGITS}g}') for name, value in fit.parameters.items()})


def dynamics_text(fit: DynamicsFit, mechanism: Mechanism, extends: str,
                  comments: Sequence[str] = ()) -> str:
    """Return a mechanism file with the parameters of a DynamicsFit.

    extends: name or absolute path of the mechanism; comments: lines at the top.
    """
    sums = [f'{base.text}: {base.value(fit.parameters):.{_DIGITS}g}, 1 sigma '
            f'{fit.deviations[base.name]:.2g}' for base in fit.base]
    return overrides_text(extends, dynamics_overrides(fit, mechanism),
                          (*comments, *sums, *fit.doubts))
