"""The file from which an estimator continues after its process was killed."""

from dataclasses import asdict
import hashlib
import json
import time

from mb_estimators.checkpoint.file import can_write, read_file, write_file
from mb_estimators.filter import FilterError, Rewindable
from mb_estimators.state import layout
from mb_model.file_api import remove_private, user_path
from mb_sensors import NANOSECONDS

_FORMAT = 2       # of the file: the state of a stream as a tree


class Checkpoint:
    """A file with the state of an EstimatorSetup, written once a period of stamps."""

    def __init__(self, path, period, setup):
        """Set up for a path; period [s].

        Raises ValueError for a missing folder, and for estimators that cannot continue from a file.
        """
        self._path, self._setup = user_path(path), setup
        self._period = round(period * NANOSECONDS)
        self._last = None
        if not self._path.parent.is_dir():
            raise ValueError(f'checkpoint: {self._path}: there is no folder {self._path.parent}')
        if setup.stream_settings.interpolate:
            raise FilterError('checkpoint: must be empty with interpolate')
        state = setup.filter.state if isinstance(setup.filter, Rewindable) else None
        if state is None or not can_write(state):
            raise FilterError(f'checkpoint: must be empty, {type(setup.filter).__name__} cannot go '
                              'on from a file')
        self._fixed = [setup.settings.estimator, setup.mechanism.text, layout(state)]

    def saw(self, stamp):
        """Write the file if a period [ns] of stamps is over.  Raises OSError."""
        if self._last is not None and 0 <= stamp - self._last < self._period:
            return
        self._last = stamp
        if not self._setup.stream.diverged:
            write_file(self._path, {
                'format': _FORMAT, 'made of': self._fingerprint(),
                'stamp': stamp, 'written': time.time(),
                'stream': self._setup.stream.state.to_go_on_from()})

    def resume(self, now=0):
        """Continue from the file, if there is one; return a sentence on it, '' without one.

        now [ns]: by the clock of the stamps, 0 if unknown.  Raises ValueError, and changes
        nothing, for a file that is broken, of another estimator, or of another time.
        """
        try:
            found = read_file(self._path)
        except FileNotFoundError:
            return ''
        except OSError as error:
            raise ValueError(f'{self._path}: {error.strerror or error}') from None
        except ValueError as error:
            raise ValueError(f'{self._path}: {error}') from None
        longest = self._setup.stream_settings.longest_gap
        if not isinstance(found, dict) or found.get('format') != _FORMAT:
            raise ValueError(f'{self._path}: was written by another version, which keeps its state '
                             'in another form')
        try:
            age, stamp = time.time() - found['written'], found['stamp']
            if found['made of'] != self._fingerprint():
                raise ValueError(f'{self._path}: is of another filter, mechanism or sensors')
            if not 0.0 <= age <= longest:
                raise ValueError(f'{self._path}: was written {age:.0f} s ago, longer than '
                                 f'longest_gap, {longest:g} s')
            if 0 < now < stamp:
                raise ValueError(f'{self._path}: is of {stamp / NANOSECONDS:.3f} s, which is in '
                                 'the future')
            self._setup.stream.resume(found['stream'])
        except (KeyError, TypeError) as error:
            raise ValueError(f'{self._path}: not a checkpoint: {error}') from None
        self._last = stamp
        return f'going on from the checkpoint of {stamp / NANOSECONDS:.3f} s, {self._path}'

    def remove(self):
        """Remove the file, so that the next life starts fresh."""
        remove_private(self._path)

    def _fingerprint(self):
        """Return a text that changes with everything that the state depends on."""
        setup = self._setup
        parts = [*self._fixed, asdict(setup.tuning), asdict(setup.stream_settings),
                 [(sensor.name, asdict(sensor.settings)) for sensor in setup.sensors]]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()
