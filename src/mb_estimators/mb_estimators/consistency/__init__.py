"""Does a filter know how wrong it is?  Normalized errors, and a verdict in words.

A filter is consistent if its errors are no larger than the covariance that it claims.  If model and
noises are exact, its innovations, the errors of its predicted readings, are white noise of the
covariance that it expects (Bar-Shalom, Li and Kirubarajan 2001, Sec. 5.4).  If it expects more
noise than there is, they are smaller: its intervals are wider than needed, but they hold.
"""

from mb_estimators.consistency.normalized import (
    EnsembleNees,
    agreement,
    chi_square_interval,
    ensemble_nees,
    mean_interval,
    normalized_squares,
    whitened,
)
from mb_estimators.consistency.sensor_consistency import (
    Cause,
    SensorConsistency,
    assess,
    left_out_text,
)
from mb_estimators.consistency.whiteness import (
    Scale,
    autocorrelation,
    scales,
    spectrum,
    white_band,
)
from mb_estimators.consistency.window import ConsistencySettings, ConsistencyWindow

__all__ = [
    'Cause', 'ConsistencySettings', 'ConsistencyWindow', 'EnsembleNees', 'Scale',
    'SensorConsistency', 'agreement', 'assess', 'autocorrelation', 'chi_square_interval',
    'ensemble_nees', 'left_out_text', 'mean_interval', 'normalized_squares', 'scales', 'spectrum',
    'white_band', 'whitened']
