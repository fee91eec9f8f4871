"""error_ekf_fe: error_ekf_ej that estimates the unknown forces too."""

from dataclasses import dataclass

from mb_estimators.filters.estimated_force import ForceFilter, ForceSettings
from mb_estimators.filters.force_sources import check_sources, explain_forces
from mb_estimators.filters.shared_settings import FormSettings, ModelFilterSettings
from mb_estimators.filters.transition import ExactTransition
from mb_model import setting


@dataclass(frozen=True)
class ErrorEkfFeSettings(FormSettings, ForceSettings, ModelFilterSettings):
    """Error-state EKF with force estimation: acceleration errors are states, a random walk."""

    force_sources: tuple[str, ...] = setting(
        (),
        help='Where the unknown forces are likely to act: numbers of forces in the mechanism file, '
             'such as forces.push.force.x of a load, or degrees of freedom.  The estimate says '
             'which forces there explain the estimated ones best, and whether they do')


class ErrorEkfFe(ExactTransition, ForceFilter):
    """The error-state EKF of Rodriguez et al. 2023, Sec. 7.3 (errorEKF_FE).

    States: errors of z, zd, zdd, zero after every correction: what the acceleration was wrong by
    becomes a force on the degree of freedom, which the model keeps.
    """

    Settings = ErrorEkfFeSettings
    takes_mountings = True

    def _prepare(self):
        super()._prepare()
        check_sources(self.mechanism, 'force_sources', self.settings.force_sources)

    def _further_estimates(self):
        names, found = self.settings.force_sources, super()._further_estimates()
        if not names:
            return found
        z, zd, _, q, *_ = self._motion
        sources = explain_forces(
            self.mechanism, z, zd, self._force, self._force_covariance(), names, q)
        return found | {'parameters': dict(zip(names, sources.values.tolist(), strict=True)),
                        'parameter_covariance': sources.covariance,
                        'force_probability': sources.probability}
