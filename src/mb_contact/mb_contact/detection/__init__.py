"""Whether something touches a mechanism: forces from outside against thresholds."""

from mb_contact.detection.contact import Contact, ContactTrack, Force
from mb_contact.detection.detection_settings import DetectionSettings
from mb_contact.detection.detector import ContactDetector

__all__ = ['Contact', 'ContactDetector', 'ContactTrack', 'DetectionSettings', 'Force']
