"""From stamped readings, in whatever order they come, to estimates.

All that changes as a stream goes on is one tree of states, StreamState, which the stream owns.
Every other class here is set up once and acts on the part of it that it is given.
"""

from mb_estimators.stream.estimate_stream import EstimateStream
from mb_estimators.stream.intake import Counts
from mb_estimators.stream.interpolation import interpolate, widened
from mb_estimators.stream.step import LateReading, Step
from mb_estimators.stream.stream_settings import StreamSettings

__all__ = ['Counts', 'EstimateStream', 'LateReading', 'Step', 'StreamSettings', 'interpolate',
           'widened']
