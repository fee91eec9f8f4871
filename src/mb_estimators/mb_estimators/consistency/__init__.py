"""Does a filter know how wrong it is?  Normalized errors, whiteness, and a verdict in words.

A filter whose model and tuning are right is consistent: its errors have the covariance that it
claims, and its innovations, the errors of its predicted readings, are white noise of the covariance
that it expects (Bar-Shalom, Li and Kirubarajan 2001, Sec. 5.4).
"""

from mb_estimators.consistency.chi_square import chi_square_interval, mean_interval
from mb_estimators.consistency.ensemble import EnsembleNees, ensemble_nees
from mb_estimators.consistency.normalized import agreement, normalized_squares, whitened
from mb_estimators.consistency.sensor_consistency import SensorConsistency, assess
from mb_estimators.consistency.settings import ConsistencySettings
from mb_estimators.consistency.spectrum import spectrum, white_band
from mb_estimators.consistency.whiteness import autocorrelation, ljung_box
from mb_estimators.consistency.window import ConsistencyWindow

__all__ = [
    'ConsistencySettings', 'ConsistencyWindow', 'EnsembleNees', 'SensorConsistency', 'agreement',
    'assess', 'autocorrelation', 'chi_square_interval', 'ensemble_nees', 'ljung_box',
    'mean_interval', 'normalized_squares', 'spectrum', 'white_band', 'whitened']
