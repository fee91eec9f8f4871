"""A BMI160: its registers and FIFO, behind a socket in place of an I2C bus."""

from collections import deque
from collections.abc import Mapping, Sequence
from math import radians
from pathlib import Path
import socket
import threading

from mb_sensors.sampling import NANOSECONDS
from mb_sensors.sensor import Sensor
from mb_sensors.sources import Emulator, SourceError
from mb_sensors.sources.bmi160 import Bmi160, bmi160_registers as chip
from mb_sensors.sources.bmi160.bmi160_setup import Bmi160SensorSettings, Bmi160Settings, output_rate
from mb_sensors.sources.bmi160.i2c import SocketBus, decode_request
from mb_sensors.sources.imu_axes import imu_axes

_LARGEST_PACKET = 4096
_DEFLECTION = 6144      # of the accelerometer that tests itself: 1.5 g
_POLL = 0.1         # how long close() may take [s]


class Bmi160Registers:
    """The behaviour of the device when its registers are written and read."""

    def __init__(self):
        self._lock = threading.Lock()
        self._ticks = 0
        self._reset()

    def _reset(self):
        self.registers = bytearray(0x80)
        self.registers[chip.CHIP_ID] = chip.IDENTITY
        self.registers[chip.TEMPERATURE:chip.TEMPERATURE + 2] = (1024).to_bytes(2, 'little')
        self._fifo, self._held, self._skipped = deque(), 0, 0

    def measure(self, ticks: int, frame: chip.FifoFrame):
        """Take a FifoFrame at a sensor time [ticks]; the oldest in the FIFO make room."""
        with self._lock:
            self._ticks = ticks
            if not self.registers[chip.FIFO_CONFIG] & chip.FIFO_RATE:
                return
            data = chip.fifo_frame(frame)
            self._fifo.append(data)
            self._held += len(data)
            while self._held > chip.FIFO_SIZE:
                self._held -= len(self._fifo.popleft())
                self._skipped += 1

    def transfer(self, written: bytes, wanted: int):
        """Write to the register named first, then read on from it; returns what was read."""
        with self._lock:
            register = written[0] if written else 0
            for offset, value in enumerate(written[1:]):
                self._write(register + offset, value)
            if register == chip.FIFO_DATA:
                return self._read_fifo(wanted)
            self.registers[chip.FIFO_LENGTH:chip.FIFO_LENGTH + 2] = self._held.to_bytes(2, 'little')
            return bytes(self.registers[register:register + wanted])

    def _write(self, register: int, value: int):
        if register == chip.SELF_TEST:
            self._test_itself(value)
        if register != chip.COMMAND:
            self.registers[register] = value
        elif value == chip.SOFT_RESET:
            self._reset()
        elif value == chip.FIFO_FLUSH:
            self._fifo.clear()
            self._held = self._skipped = 0
        elif value == chip.FORCE_NORMAL:
            self.registers[chip.POWER] |= chip.FORCE_POWERED
        elif value == chip.RATE_NORMAL:
            self.registers[chip.POWER] |= chip.RATE_POWERED

    def _test_itself(self, value: int):
        if value & chip.RATE_SELF_TEST:
            self.registers[chip.STATUS] |= chip.RATE_SELF_TEST_OK
        if value in (chip.FORCE_SELF_TEST_PLUS, chip.FORCE_SELF_TEST_MINUS):
            moved = _DEFLECTION if value == chip.FORCE_SELF_TEST_PLUS else -_DEFLECTION
            self.registers[chip.FORCE_DATA:chip.FORCE_DATA + 6] = 3 * moved.to_bytes(
                2, 'little', signed=True)

    def _read_fifo(self, wanted: int):
        """Return frames as far as they fit whole, a part of the next, or the time and nothing."""
        data = b''
        if self._skipped:
            data, self._skipped = chip.skip_frame(self._skipped), 0
        while self._fifo:
            if len(data) + len(self._fifo[0]) > wanted:
                return (data + self._fifo[0])[:wanted]
            self._held -= len(self._fifo[0])
            data += self._fifo.popleft()
        data += chip.time_frame(self._ticks)
        return (data + chip.empty(wanted))[:wanted]


class Bmi160Emulator(Emulator, of=Bmi160):
    """An emulator: the device alone on a bus, which is a socket at the path of the settings."""

    def __init__(self, sensors: Sequence[Sensor], settings: Bmi160Settings,
                 each: Mapping[str, Bmi160SensorSettings]) -> None:
        super().__init__(sensors)
        settings.check()
        output_rate(sensors)
        self.device = Bmi160Registers()
        self._settings = settings
        self._axes = {axes.sensor.name: axes for axes in imu_axes(sensors, each)}
        self._rate_scale = radians(settings.rate_range) / chip.FULL_SCALE
        self._force_scale = settings.force_range * chip.GRAVITY / chip.FULL_SCALE
        self._clear()
        self._path = Path(settings.bus)
        self._listener = None
        self._stop = threading.Event()

    def open(self):
        """Put the device on the bus.  Raises SourceError where something else is at that path."""
        if self._path.exists() and not self._path.is_socket():
            raise SourceError(f'{self._path}: is there already, and not an emulated bus')
        if self._path.exists() and _answers(self._path):
            raise SourceError(f'{self._path}: there is an emulated device already; each has a bus '
                              'of its own')
        self._path.unlink(missing_ok=True)
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._listener.settimeout(_POLL)
        self._listener.bind(str(self._path))
        self._listener.listen()
        self._stop.clear()
        self._thread = threading.Thread(target=self._serve, name='i2c', daemon=True)
        self._thread.start()

    def measure(self, sensor: Sensor, values: Sequence[float]):
        """Let the device measure rates or forces, zero where none are given."""
        axes = self._axes[sensor.name]
        axes.put(values, self._rate, self._force)
        self._measured.add(axes.is_gyroscope)

    def send(self, stamp: int):
        """Put the frame of an instant into the FIFO."""
        self.device.measure(
            stamp * chip.TICKS_PER_SECOND // NANOSECONDS,
            chip.FifoFrame(_raw(self._rate, self._rate_scale) if True in self._measured else None,
                           _raw(self._force, self._force_scale) if False in self._measured
                           else None))
        self._clear()

    def close(self):
        """Take the device off the bus."""
        if self._listener is None:
            return
        self._stop.set()
        self._thread.join()
        self._listener.close()
        self._listener = None
        self._path.unlink(missing_ok=True)

    def _clear(self):
        self._rate, self._force = [0.0] * 3, [0.0] * 3
        self._measured = set()      # True: rates, False: forces

    def _serve(self):
        """Answer one driver after the other."""
        while not self._stop.is_set():
            try:
                connection, _ = self._listener.accept()
            except TimeoutError:
                continue
            with connection:
                connection.settimeout(_POLL)
                self._answer(connection)

    def _answer(self, connection: socket.socket):
        while not self._stop.is_set():
            try:
                packet = connection.recv(_LARGEST_PACKET)
                if not packet:
                    return
                address, written, wanted = decode_request(packet)
                mine = address == self._settings.address
                connection.send(b'\1' + self.device.transfer(written, wanted) if mine else b'\0')
            except TimeoutError:
                continue
            except OSError:
                return


def _answers(path: Path):
    """Return whether a device answers on a bus."""
    try:
        SocketBus(path).close()
    except OSError:
        return False
    return True


def _raw(values: Sequence[float], scale: float):
    """Return values as the device digitises them."""
    limit = chip.FULL_SCALE - 1
    return tuple(max(-limit - 1, min(limit, round(value / scale))) for value in values)
