"""Whether something touches a mechanism: forces from outside against thresholds."""

from mb_contact.detection.contact import Contact, ContactTrack, Force
from mb_contact.detection.detector import ContactDetector
from mb_contact.detection.settings import DetectionSettings

__all__ = ['Contact', 'ContactDetector', 'ContactTrack', 'DetectionSettings', 'Force']
