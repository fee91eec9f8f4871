"""The state of a running estimator in a file, to continue from after a crash."""

from collections import Counter
from dataclasses import asdict, fields
import hashlib
import json
import time

import numpy as np

from mb_estimators.filter import FilterError, Rewindable
from mb_estimators.state import copied, layout, name_of, named
from mb_model.file_api import open_private, remove_private, replace_private, user_path
from mb_sensors import NANOSECONDS

_TEXT = 'text'


def write_file(path, value):
    """Write a value of states, None, bool, int, float, str, list, tuple, dict, set and arrays.

    The file is there whole or not at all, whenever the process ends.  Raises OSError, TypeError.
    """
    arrays = {}
    text = json.dumps(_encoded(value, arrays))
    replace_private(path, lambda file: np.savez(file, **arrays, **{_TEXT: np.array(text)}))


def can_write(value):
    """Return whether a value can be written."""
    try:
        _encoded(copied(value), {})
    except TypeError:
        return False
    return True


def read_file(path):
    """Return the value of a file.  Raises OSError, ValueError."""
    try:
        with (open(open_private(path), 'rb') as file,
              np.load(file, allow_pickle=False) as arrays):
            return _decoded(json.loads(arrays[_TEXT].item()), arrays)
    except (ArithmeticError, AttributeError, EOFError, IndexError, KeyError, TypeError) as error:
        raise ValueError(f'not a file of this kind: {error}') from None
    except Exception as error:      # zipfile's own are no ValueError
        if isinstance(error, (OSError, ValueError)):
            raise
        raise ValueError(str(error)) from None


def _encoded(value, arrays):
    """Return a value for JSON, as {kind: content} for types unknown to JSON."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, np.ndarray):
        words = np.ascontiguousarray(value).view(np.uint64).ravel()
        name, indices = str(len(arrays) // 2), np.flatnonzero(words)
        arrays['indices' + name], arrays['words' + name] = indices, words[indices]
        return {'array': [name, list(value.shape), value.dtype.str]}
    if isinstance(value, dict):
        items = [[_encoded(key, arrays), _encoded(item, arrays)] for key, item in value.items()]
        return {'counter' if isinstance(value, Counter) else 'dict': items}
    name = name_of(type(value))
    if name:
        return {'state': [name, {field.name: _encoded(getattr(value, field.name), arrays)
                                 for field in fields(value)}]}
    for kind in (tuple, list, set):
        if isinstance(value, kind):
            items = sorted(value) if kind is set else value
            return {kind.__name__: [_encoded(item, arrays) for item in items]}
    raise TypeError(f'{type(value).__name__} cannot be written')


def _decoded(text, arrays):
    """Return the value of `_encoded`."""
    if not isinstance(text, dict):
        return text
    (kind, content), = text.items()
    if kind == 'array':
        name, shape, dtype = content
        array = np.zeros(shape, dtype)
        array.reshape(-1).view(np.uint64)[arrays['indices' + name]] = arrays['words' + name]
        return array
    if kind in ('dict', 'counter'):
        mapping = {_decoded(key, arrays): _decoded(item, arrays) for key, item in content}
        return Counter(mapping) if kind == 'counter' else mapping
    if kind == 'state':
        name, values = content
        return named(name)(**{key: _decoded(item, arrays) for key, item in values.items()})
    kinds = {'tuple': tuple, 'list': list, 'set': set}
    return kinds[kind](_decoded(item, arrays) for item in content)


_FORMAT = 3       # of the file: the state of a stream as a tree


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
        if not self._setup.stream.state.diverged:
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
            saved = read_file(self._path)
        except FileNotFoundError:
            return ''
        except OSError as error:
            raise ValueError(f'{self._path}: {error.strerror or error}') from None
        except ValueError as error:
            raise ValueError(f'{self._path}: {error}') from None
        longest = self._setup.stream_settings.longest_gap
        if not isinstance(saved, dict) or saved.get('format') != _FORMAT:
            raise ValueError(f'{self._path}: was written by another version, which keeps its state '
                             'in another form')
        try:
            age, stamp = time.time() - saved['written'], saved['stamp']
            if saved['made of'] != self._fingerprint():
                raise ValueError(f'{self._path}: is of another filter, mechanism or sensors')
            if not 0.0 <= age <= longest:
                raise ValueError(f'{self._path}: was written {age:.0f} s ago, longer than '
                                 f'longest_gap, {longest:g} s')
            if 0 < now < stamp:
                raise ValueError(f'{self._path}: is of {stamp / NANOSECONDS:.3f} s, which is in '
                                 'the future')
            self._setup.stream.resume(saved['stream'])
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
