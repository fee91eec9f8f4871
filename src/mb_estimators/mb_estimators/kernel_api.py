"""What authors of filters use of the estimators."""

from typing import TYPE_CHECKING

from mb_model.exports import exports

if TYPE_CHECKING:
    from mb_estimators.kernels.sigma_points import place as place_sigma_points
else:
    EXPORTS, __all__, __getattr__ = exports(__name__)
