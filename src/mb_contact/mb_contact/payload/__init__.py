"""Unknown masses of a mechanism, such as its payload, from its motion and its cylinders' forces."""

from mb_contact.payload.estimator import Payload, PayloadEstimator
from mb_contact.payload.payload_settings import PayloadSettings

__all__ = ['Payload', 'PayloadEstimator', 'PayloadSettings']
