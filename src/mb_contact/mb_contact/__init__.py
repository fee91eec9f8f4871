"""External effects on a machine: unknown masses, forces and contacts."""

from typing import TYPE_CHECKING

from mb_model.exports import exports

if TYPE_CHECKING:
    from mb_contact.arguments import ContactError
    from mb_contact.body_limits import BODY_LIMITS, LONGEST_TRANSIENT, QUASI_STATIC, TRANSIENT
    from mb_contact.detection.contact import Contact, ContactTrack, DetectionSettings, Force
    from mb_contact.detection.detector import ContactDetector
    from mb_contact.experiment import PayloadExperiment
    from mb_contact.external_force import (
        DirectMethod,
        DirectMethodSettings,
        ExtendedStateObserver,
        ExtendedStateSettings,
        MomentumObserver,
        MomentumObserverSettings,
        SlidingModeObserver,
        SlidingModeSettings,
    )
    from mb_contact.isolation.hypothesis import (
        DECIDED,
        Hypothesis,
        IsolationSettings,
        Touch,
        likeliest,
    )
    from mb_contact.isolation.isolation import ContactIsolation, Isolation
    from mb_contact.payload.centred_estimator import CentredEstimator
    from mb_contact.payload.centred_load import CentredLoad, LoadWithCentre
    from mb_contact.payload.estimator import Payload, PayloadEstimator
    from mb_contact.payload.payload_settings import PayloadSettings
    from mb_contact.weighing.edge_force import CentredMeans, EdgeForce
    from mb_contact.weighing.scales import Scales, Weighing
    from mb_contact.weighing.tool_settings import ToolSettings
else:
    EXPORTS, __all__, __getattr__ = exports(__name__)
