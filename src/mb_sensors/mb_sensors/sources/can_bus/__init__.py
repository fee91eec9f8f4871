"""CANopen encoders and pressure transmitters: bus, profiles, process data; and emulated ones."""

from mb_sensors.sources.can_bus.can_bus import CanBus

__all__ = ['CanBus']
