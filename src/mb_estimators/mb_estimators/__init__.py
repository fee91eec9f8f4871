"""Kalman filters on multibody models behind one plugin interface."""

from typing import TYPE_CHECKING

from mb_model.exports import exports

if TYPE_CHECKING:
    from mb_estimators.branch_identification import LikelyBranches, identify_branch
    from mb_estimators.consistency.normalized import (
        NORMAL_95,
        EnsembleNees,
        agreement,
        chi_square_interval,
        ensemble_nees,
        mean_interval,
        normalized_squares,
        whitened,
    )
    from mb_estimators.consistency.sensor_consistency import Cause, SensorConsistency, assess
    from mb_estimators.consistency.whiteness import autocorrelation, spectrum, white_band
    from mb_estimators.estimator_setup import EstimatorSettings, EstimatorSetup
    from mb_estimators.experiment import (
        Experiment,
        monte_carlo,
        rmse,
        sensors_as_believed,
        stamps_of,
        three_simulation,
    )
    from mb_estimators.factor_graph.composed import FactorGraph
    from mb_estimators.factor_graph.forward import forward
    from mb_estimators.factor_graph.inverse import inverse
    from mb_estimators.filter.errors import (
        DivergenceError,
        FilterError,
        ImpossibleReadingError,
        NotConvergedError,
    )
    from mb_estimators.filter.estimate import Estimate, HydraulicEstimate, Innovation
    from mb_estimators.filter.interface import Filter
    from mb_estimators.filters.error_ekf import ErrorEkf
    from mb_estimators.filters.force_sources import ForceSources, explain_forces
    from mb_estimators.filters.start import StartWarning
    from mb_estimators.filters.unscented import Ukf
    from mb_estimators.fitting.by_readings.fit_readings import (
        FittedNoise,
        ReadingFit,
        fit_readings,
    )
    from mb_estimators.fitting.by_readings.outcome import innovation_figure
    from mb_estimators.fitting.by_readings.reading_settings import ReadingSettings
    from mb_estimators.fitting.equations import FitRecording
    from mb_estimators.fitting.fit import Fit, fit
    from mb_estimators.fitting.fit_settings import FitError, FitSettings
    from mb_estimators.fitting.learned.learned_residual import LearnedResidual, learn_residual
    from mb_estimators.fitting.mass_properties import linear_of, linear_slopes, raw_paths
    from mb_estimators.fitting.mountings import MountingRecording, MountingsFit, fit_mountings
    from mb_estimators.fitting.oil import observed_oil, read_oil
    from mb_estimators.fitting.page import residual_figure
    from mb_estimators.fitting.reading_part import EncoderReadings
    from mb_estimators.fitting.recorded import read_samples
    from mb_estimators.fitting.samples import (
        DynamicsSamples,
        HeldTorques,
        ReadTorques,
        UnexplainedForces,
    )
    from mb_estimators.fitting.suggestion import MotionSettings, suggest_motion
    from mb_estimators.marker_association import (
        Association,
        AssociationSettings,
        MarkerAssociation,
        correct_by_points,
    )
    from mb_estimators.observability.determined import undetermined_text
    from mb_estimators.observability.local import LocalObservability, local_observability
    from mb_estimators.observation import (
        Observation,
        corrected,
        inconsistent_share,
        log_likelihood,
        observe,
    )
    from mb_estimators.plugins import (
        available_filters,
        check_suits,
        filter_class,
        make_filter,
    )
    from mb_estimators.polynomial_chaos import identify_by_chaos
    from mb_estimators.recording.bag import read_recording, replay
    from mb_estimators.recording.input_topic import InputTopic, input_topic
    from mb_estimators.recording.recording import SETTLED, Recording, Result, judged
    from mb_estimators.shaping_identification import ShapedNoise, identify_shaping
    from mb_estimators.smoothing import Smoothed, smooth
    from mb_estimators.state import copied, restore
    from mb_estimators.stream.estimate_stream import EstimateStream
    from mb_estimators.stream.interpolation import interpolate, widened
    from mb_estimators.stream.stream_settings import StreamSettings
    from mb_estimators.stream.stream_state import Counts
    from mb_estimators.timeline import (
        COMMANDS,
        READINGS,
        HeldInputs,
        ReadInputs,
        inputs_class,
    )
    from mb_estimators.tuning.tune import tune
else:
    EXPORTS, __all__, __getattr__ = exports(__name__)
