"""The state of a running estimator in a file, to continue from after a crash."""

from mb_estimators.checkpoint.checkpoint import Checkpoint

__all__ = ['Checkpoint']
