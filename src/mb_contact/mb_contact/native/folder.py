"""Folders with a contact detector as a C library: object code, header, source, an example."""

from importlib import resources
from pathlib import Path

from numba import int64

from mb_contact.detection.contact import METHODS
from mb_contact.detection.detector import ContactDetector
from mb_contact.detection.kernels.cycle import cycle
from mb_contact.detection.kernels.detector_record import reasons
from mb_estimators.native_api import (
    Program,
    Variable,
    indented,
    library_name,
    numbers_at,
    padded,
    strings,
    write_library,
)
from mb_model.jit import Target

_FILES = {'{}.h': 'contact.h', '{}.c': 'contact.c', 'example.c': 'example.c',
          'CMakeLists.txt': 'CMakeLists.txt', 'README.md': 'README.md'}
_LAST_WORDS = 'a kernel has failed', 'states must be 0, or 2 or 3 times the degrees of freedom'


def export(detector: ContactDetector, folder: Path, target: Target) -> None:
    """Write a detector, at its start, to a new folder, as a library of the folder's name.

    Raises NotInCError (ValueError) for a name that C does not take.
    """
    detector.reset()
    program = Program(library_name(folder))
    write_library(folder, program, target, resources.files(__package__) / 'c', _FILES,
                  _texts(detector, program))


def _texts(detector: ContactDetector, program: Program) -> dict[str, str]:
    """Return what stands for each @name@ in the files."""
    mechanism, detectors = detector.mechanism, detector.records[-1]
    g, n, drives = mechanism.g, mechanism.n, len(detector.drives)
    motion = [numbers_at(f'(double *){name}', g) for name in ('z', 'zd', 'zdd')]
    efforts = [numbers_at(f'(double *){name}', drives) for name in ('efforts', 'now')]
    call = program.call(cycle, *detector.records, Variable('stamp', int64),
                        numbers_at('(double *)q', 'coordinates'), *motion,
                        numbers_at('(double *)covariance', 'states', 'states'), *efforts)
    covariance = detectors['covariance']
    texts = {'name': program.name, 'NAME': program.name.upper(), 'machine': mechanism.name,
             'degrees': str(g), 'coordinates': str(n), 'drives': str(drives),
             'degree_names': strings(mechanism.independent),
             'drive_names': strings(detector.drives), 'method_names': strings(METHODS),
             'degree_list': ' '.join(mechanism.independent),
             'drive_list': ' '.join(detector.drives), 'row': str(covariance.shape[-1]),
             'words': strings([text or 'judged' for text in reasons(
                 detector.settings, bool(mechanism.model['charts'][0])).values()] + [*_LAST_WORDS]),
             'rest': ' '.join(['0'] * (2 * g + drives)),
             'start': ' '.join(f'{value:g}' for value in mechanism.z0),
             'judge': indented(f'status = {call};')}
    texts |= {f'at_{field}': str(program.offset(detectors, field)) for field in (
        'detected', 'since', 'first', 'estimated', 'exceeds', 'known', 'force', 'covariance')}
    return texts | {'declarations': program.declarations(), 'size': str(program.size),
                    'state_size': str(padded(program.size + 4))}
