"""External effects on a machine: unknown masses, forces and contacts."""

from typing import TYPE_CHECKING

from mb_model.exports import exports

if TYPE_CHECKING:
    from mb_contact.arguments.errors import ContactError
    from mb_contact.body_limits import BODY_LIMITS, LONGEST_TRANSIENT, QUASI_STATIC, TRANSIENT
    from mb_contact.detection.contact import Contact, ContactTrack, Force
    from mb_contact.detection.detection_settings import DetectionSettings
    from mb_contact.detection.detector import ContactDetector
    from mb_contact.dynamics.fit import DynamicsFit, fit_dynamics
    from mb_contact.dynamics.fit_settings import DynamicsFitSettings
    from mb_contact.dynamics.samples import DynamicsSamples
    from mb_contact.experiment import PayloadExperiment
    from mb_contact.external_force.direct_method import DirectMethod
    from mb_contact.external_force.momentum_observer import (
        MomentumObserver,
        MomentumObserverSettings,
    )
    from mb_contact.external_force.other_observers import (
        ExtendedStateObserver,
        ExtendedStateSettings,
        SlidingModeObserver,
        SlidingModeSettings,
    )
    from mb_contact.friction.fit import FrictionFit, fit_friction
    from mb_contact.friction.fit_settings import FrictionFitSettings
    from mb_contact.friction.samples import FrictionSamples
    from mb_contact.isolation.contact_isolation import ContactIsolation
    from mb_contact.isolation.hypothesis import Hypothesis, Touch
    from mb_contact.isolation.isolation import Isolation
    from mb_contact.isolation.isolation_settings import IsolationSettings
    from mb_contact.isolation.naming import DECIDED, likeliest
    from mb_contact.payload.estimator import PayloadEstimator
    from mb_contact.payload.payload import Payload
    from mb_contact.payload.payload_settings import PayloadSettings
    from mb_contact.weighing.centred_mean import CentredMeans
    from mb_contact.weighing.edge_force import EdgeForce
    from mb_contact.weighing.scales import Scales, Weighing
    from mb_contact.weighing.tool_settings import ToolSettings
else:
    EXPORTS, __all__, __getattr__ = exports(__name__)
