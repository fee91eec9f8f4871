"""How CANopen devices are reached: the one home of these values, for driver and emulator."""

from dataclasses import dataclass

import can

from mb_model import SettingError, Settings, setting
from mb_sensors.sources.can_bus.canopen_profiles import Profile


@dataclass(frozen=True)
class CanSettings(Settings):
    """The bus, as python-can names it, and common settings of its devices."""

    interface: str = setting('socketcan', help="python-can's name of the interface, as socketcan, "
                             'pcan, slcan, udp_multicast')
    channel: str = setting('can0', help='Channel of that interface')
    bitrate: int = setting(0, unit='bit/s', at_least=0, at_most=10_000_000,
                           help='Bit rate to set; 0: the interface has it')
    options: tuple[str, ...] = setting(
        (), help='Further options of the interface, as ["port=43114"]')
    sync_rate: float = setting(0.0, unit='Hz', at_least=0.0, at_most=1000.0,
                               help='Rate of the SYNC to send; 0: none, or another node sends it')
    heartbeat: float = setting(0.1, unit='s', at_least=0.001, at_most=60.0,
                               help='Period of the heartbeat that devices are set to send')

    def bus_arguments(self):
        """Return the arguments of can.Bus.

        Raises SettingError for an unknown interface and for options without `=`.
        """
        if self.interface not in can.VALID_INTERFACES:
            raise SettingError(f'can.interface: {self.interface!r} must be one of '
                               f'{", ".join(sorted(can.VALID_INTERFACES))}')
        arguments = {'interface': self.interface, 'channel': self.channel}
        if self.bitrate:
            arguments['bitrate'] = self.bitrate
        for option in self.options:
            key, separator, value = option.partition('=')
            if not separator:
                raise SettingError(f'can.options: {option!r} must be key=value')
            arguments[key] = int(value) if value.isdecimal() else value
        return arguments


@dataclass(frozen=True)
class CanSensorSettings(Settings):
    """One device on the bus."""

    node_id: int = setting(at_least=1, at_most=127, help='Node id of the device')
    mapping: str = setting(
        'write', choices=('write', 'device', 'eds'),
        help='Content of the PDO; write: the driver sets it; device: the device is asked; '
             'eds: the EDS file says so')
    eds: str = setting('', help="The device's EDS or DCF file; empty: the objects of its profile")
    pdo: int = setting(1, at_least=1, at_most=4, help='Number of the transmit PDO')
    value: str = setting('', help='Object with the measured value, as "6004:0"; empty: as in the '
                         'profile')
    time_stamp: bool = setting(
        False, help='The PDO holds 1013h too, when the value was taken by the clock of the device')
    synchronous: bool = setting(
        False, help='Values are taken at every SYNC, which stamps them; else at the rate of the '
                    'sensor')
    counts: float = setting(
        0.0, at_least=0.0, at_most=2.0 ** 32 - 1.0,
        help='Counts of an encoder in a turn, or in a metre; 0: from the device')
    turns: int = setting(0, at_least=0, at_most=2 ** 16 - 1,
                         help='Turns that an encoder distinguishes; 0: from the '
                         'device')
    lowest: float = setting(-1.0e5, unit='Pa', help='Least pressure that can be true')
    highest: float = setting(1.0e8, unit='Pa', help='Greatest pressure that can be true')

    def value_object(self, profile: Profile):
        """Return (index, subindex) of the measured value.  Raises SettingError."""
        if not self.value:
            return profile.value
        index, _, subindex = self.value.partition(':')
        try:
            return int(index, 16), int(subindex or '0', 16)
        except ValueError:
            raise SettingError(f'can.value: {self.value!r} must be index:subindex, as "6004:0", '
                               'in hexadecimal digits') from None
