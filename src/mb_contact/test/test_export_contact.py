"""The contact detector as a C library: the same numbers as in Python, nothing allocated."""

import ctypes
import shutil
import subprocess

from contact_states import MS, moving
import numpy as np
import pytest

from mb_contact.commands.export import main
from mb_contact.detection.contact import METHODS, DetectionSettings
from mb_contact.detection.detector import ContactDetector
from mb_contact.native.folder import export
from mb_model import load_mechanism
from mb_model.jit import Target

pytestmark = pytest.mark.skipif(not shutil.which('cc'), reason='no compiler of C')

STATES = 250
MACHINES = {'three_rrr': {}, 'delta': {'gain': (300.0,)},
            'pendulum': {'method': 'momentum_observer', 'direct_threshold': (0.5,),
                         'momentum_threshold': (0.5,)}}
_NUMBERS = ctypes.POINTER(ctypes.c_double)


class InC:
    """A detector of a library in C; update as ContactDetector has it, but for the covariances."""

    def __init__(self, folder, g):
        name, built = folder.name, folder / 'library.so'
        subprocess.run(['cc', '-std=c11', '-O2', '-Wall', '-Wextra', '-Werror', '-shared', '-fPIC',
                        f'-I{folder}', folder / f'{name}.c', folder / f'{name}_kernels.o', '-lm',
                        '-o', built], check=True)
        self._library, self._name, self._g, self._statuses = ctypes.CDLL(str(built)), name, g, None
        for function, result in (('create', ctypes.c_void_p), ('since', ctypes.c_int64),
                                 ('force', _NUMBERS), ('words', ctypes.c_char_p),
                                 ('method_name', ctypes.c_char_p)):
            getattr(self._library, f'{name}_{function}').restype = result
        self._own = ctypes.c_void_p(self.call('create'))

    def call(self, function, *arguments):
        return getattr(self._library, f'{self._name}_{function}')(*arguments)

    def of(self, function, *arguments):
        return self.call(function, self._own, *arguments)

    def update(self, stamp, z, zd, zdd, covariance, torques, q, now):
        """Return (detected, since, method, reason, {method: (force, exceeds, covariance)})."""
        status = self.of('judge', ctypes.c_int64(stamp), _of(q), _of(z), _of(zd), _of(zdd),
                         _of(covariance), 0 if covariance is None else len(covariance),
                         _of(torques), _of(now))
        detected = self.of('detected') != 0
        method = self.call('method_name', self.of('first')).decode() if detected else ''
        reason = self.call('words', status).decode() if status else ''
        return detected, self.of('since'), method, reason, dict(self._forces())

    def _forces(self):
        for number, name in enumerate(METHODS):
            force = self.of('force', number)
            if force:
                covariance = np.zeros((self._g, self._g))
                known = self.of('covariance', number, _of(covariance))
                yield name, (force[:self._g], self.of('exceeds', number) != 0,
                             covariance.tolist() if known else [])


def _of(numbers):
    if numbers is None:
        return None
    assert numbers.flags.c_contiguous
    assert numbers.dtype == float
    return numbers.ctypes.data_as(_NUMBERS)


def in_python(contact):
    """Return a Contact as InC.update does."""
    return *contact[:3], contact.reason, {
        force.method: (force.force.tolist(), force.exceeds, force.covariance.tolist())
        for force in contact.forces}


def states(mechanism, rng):
    """Yield arguments of update: a machine that is pushed, with gaps, late and wrong states."""
    g, drives = mechanism.g, len(mechanism.drives)
    push = np.outer(np.sin(0.1 * np.arange(STATES)) > 0.7, 20.0 * rng.normal(size=g))
    _, z, zd, zdd, torques = moving(push, 0.1 * rng.normal(size=drives), mechanism)
    stamp = MS
    for k in range(STATES):
        stamp += MS * int(rng.choice([1, 1, 1, 1, 1, 1, 2, 60, -1]))
        size = int(rng.choice([0, 2 * g, 3 * g, 3 * g, 3 * g]))
        part = 1e-3 * rng.normal(size=(size, size))
        wrong = np.where(rng.random(g) < 0.005, np.nan, zdd[k])
        torques_now = torques[k] + 0.1 * rng.normal(size=drives)
        yield (stamp, z[k].copy(), zd[k].copy(), wrong, part @ part.T if size else None,
               torques[k].copy(), None, torques_now if rng.random() < 0.5 else None)


@pytest.mark.parametrize('machine', MACHINES)
def test_numbers_are_those_of_python(machine, tmp_path):
    mechanism = load_mechanism(machine)
    if not mechanism.drives:
        mechanism = mechanism.replace(drives=list(mechanism.independent))
    detector = ContactDetector(mechanism, settings=DetectionSettings(**MACHINES[machine]))
    export(detector, tmp_path / 'contacts', Target.here())
    in_c, touched, rng = InC(tmp_path / 'contacts', mechanism.g), 0, np.random.default_rng(3)
    saved, kept, reasons = ctypes.create_string_buffer(1 << 22), {}, set()
    for k, state in enumerate(states(mechanism, rng)):
        if k == STATES // 2:
            in_c.of('save', saved)
        said = in_python(detector.update(*state))
        assert in_c.update(*state) == said
        kept[k] = state, said
        touched += said[0]
        reasons.add(said[3])
    assert 0 < touched < STATES
    assert len(reasons) >= 4
    in_c.of('restore', saved)
    for k in range(STATES // 2, STATES):
        assert in_c.update(*kept[k][0]) == kept[k][1]
    in_c.of('reset')
    detector.reset()
    state = kept[0][0]
    assert in_c.update(*state) == in_python(detector.update(*state))


def test_all_coordinates_save_solving_for_them(tmp_path):
    mechanism = load_mechanism('three_rrr')
    detector = ContactDetector(mechanism)
    export(detector, tmp_path / 'contacts', Target.here())
    in_c = InC(tmp_path / 'contacts', mechanism.g)
    rest = np.zeros(mechanism.g)
    for stamp in (MS, 2 * MS):
        state = stamp, mechanism.z0, rest, rest, None, rest, mechanism.q0, None
        assert in_c.update(*state) == in_python(detector.update(*state))


def test_nothing_is_allocated_and_sizes_are_judged(tmp_path):
    """What a library may call beside create: memory is moved, never taken."""
    mechanism = load_mechanism('three_rrr')
    folder = tmp_path / 'contacts'
    export(ContactDetector(mechanism), folder, Target.here())
    in_c, rest = InC(folder, mechanism.g), np.zeros(3)
    assert in_c.update(MS, mechanism.z0, rest, rest, np.eye(4), rest, None, None)[3] == (
        'states must be 0, or 2 or 3 times the degrees of freedom')
    symbols = subprocess.run(['nm', '-u', folder / 'contacts_kernels.o'], capture_output=True,
                             text=True, check=True).stdout
    assert not {'malloc', 'calloc', 'realloc', 'aligned_alloc', 'free'} & {*symbols.split()}
    assert (folder / 'contacts.c').read_text().count('alloc(') == 1      # of create


@pytest.mark.skipif(not shutil.which('cmake'), reason='no cmake')
def test_the_command_writes_what_its_readme_says(tmp_path, capsys):
    folder = tmp_path / 'my_contacts'
    assert main(['three_rrr', '--output', str(folder)]) == 0
    assert 'README.md' in capsys.readouterr().out
    for command in (['-S', folder, '-B', tmp_path / 'build'], ['--build', tmp_path / 'build']):
        subprocess.run(['cmake', *command], check=True, capture_output=True)
    lines = (folder / 'README.md').read_text().split("printf '")[1].partition("'")[0]
    said = subprocess.run([tmp_path / 'build/my_contacts_example'], capture_output=True, text=True,
                          input=lines.replace('\\n', '\n'), check=True).stdout.splitlines()
    assert [line.split()[0] for line in said] == ['0', '0']
    assert len(said[1].split()) == 2 + 2 * 3
    assert main(['three_rrr', '--output', str(folder)]) == 2
    assert 'is there already' in capsys.readouterr().err
    assert main(['three_rrr', '--output', str(tmp_path / 'int')]) == 2
    assert 'no name of a library' in capsys.readouterr().err
