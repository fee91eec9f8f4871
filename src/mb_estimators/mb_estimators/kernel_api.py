"""What authors of filters use: the base and parts of filters, layouts, capabilities, kernels."""

from typing import TYPE_CHECKING

from mb_model.exports import exports

if TYPE_CHECKING:
    from mb_estimators.filter.interface import (
        Assessing,
        Doubting,
        Gating,
        OfMechanism,
        Rebuilding,
        Retroactive,
        Rewindable,
        Smoothable,
        WholeSmoothing,
        Widening,
    )
    from mb_estimators.filter.layout import Block, Layout, motion_blocks
    from mb_estimators.filters.channels import bias_block
    from mb_estimators.filters.coloured_noise import ColouredNoise, ColouredNoiseSettings
    from mb_estimators.filters.estimated_force import ForceFilter, ForceSettings
    from mb_estimators.filters.model_filter import ModelFilter
    from mb_estimators.filters.noise_adaptation import AdaptationSettings, NoiseAdaptation
    from mb_estimators.filters.parts import ExactTransition, SimpleTransition, WhiteNoise
    from mb_estimators.filters.shared_settings import (
        FormSettings,
        ModelFilterSettings,
        WhiteNoiseSettings,
    )
    from mb_estimators.kernels.correction import correct
    from mb_estimators.kernels.covariance import (
        add_acceleration_noise,
        add_acceleration_walk,
        keep_positive,
        propagate,
        propagate_simple,
    )
    from mb_estimators.kernels.exact_prediction import predict_index3_exact
    from mb_estimators.kernels.prediction import predict_index3
    from mb_estimators.kernels.sigma_points import put_at
    from mb_estimators.records.filter import FILTER
else:
    EXPORTS, __all__, __getattr__ = exports(__name__)
