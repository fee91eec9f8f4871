"""Sensors: what they measure of a mechanism, noise, faults and recordings; kinds may be added."""

from typing import TYPE_CHECKING

from mb_model.exports import exports

if TYPE_CHECKING:
    from mb_sensors.bag import open_bag
    from mb_sensors.covariance_fit import fit_covariance
    from mb_sensors.encoder_turns import BEYOND, TURN, EncoderTurns
    from mb_sensors.end_stops import EndStops, EndStopSettings, StopReadings
    from mb_sensors.faults import FaultSettings
    from mb_sensors.imu_mounting.body_motion import BodyMotion
    from mb_sensors.imu_mounting.fit import (
        ImuResiduals,
        MountingFit,
        fit_mounting,
        judged_mounting,
    )
    from mb_sensors.imu_mounting.outcome import mounting_overrides
    from mb_sensors.imu_mounting.problem import ImuRecording
    from mb_sensors.imu_mounting.settings import MountingFitSettings
    from mb_sensors.kind_parts.sensor_kind import SensorError
    from mb_sensors.kinds import sensor_kinds
    from mb_sensors.noise import SensorNoise, noisy
    from mb_sensors.readings import measured, true_values
    from mb_sensors.recorded import RecordedSensor, in_order_of_arrival
    from mb_sensors.recorded_motion import (
        EncoderMotion,
        RecordedMotion,
        coordinates_read,
        motion_of_encoders,
        read_motion,
    )
    from mb_sensors.sampling import NANOSECONDS, Sampler, numbers_at
    from mb_sensors.selection import sensors_of
    from mb_sensors.sensor import NoiseSettings, Sensor
    from mb_sensors.simulated_sensor import SimulatedSensor
    from mb_sensors.sources import emulator_class
    from mb_sensors.topics import (
        DISTURBED,
        KNOWN_FORCES,
        TRUE_FORCES,
        SensorTopic,
        by_topic,
    )
else:
    EXPORTS, __all__, __getattr__ = exports(__name__)
