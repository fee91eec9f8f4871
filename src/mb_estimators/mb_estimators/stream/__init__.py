"""From stamped readings, in any order, to estimates.

All changing data of a stream are in one tree of states, StreamState, which the stream owns.  Every
other class here is set up once and acts on its part of the state.
"""

from mb_estimators.stream.estimate_stream import EstimateStream
from mb_estimators.stream.interpolation import interpolate, widened
from mb_estimators.stream.step import LateReading, Step
from mb_estimators.stream.stream_settings import StreamSettings
from mb_estimators.stream.stream_state import Counts

__all__ = ['Counts', 'EstimateStream', 'LateReading', 'Step', 'StreamSettings', 'interpolate',
           'widened']
