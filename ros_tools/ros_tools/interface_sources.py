"""Sources of an interface package, written by rosidl's own generators: only what rclpy loads.

That is the C structures, their serialization for Fast DDS, and the Python classes with their
conversion; introspection and C++ are left out, which are two thirds of what ROS 2 compiles.
Interfaces are parsed once: every generator parses them again, which takes most of its time.
"""
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
import json
from multiprocessing import get_context
from pathlib import Path
import sys
from tempfile import TemporaryDirectory
from xml.etree import ElementTree

from ament_index_python.packages import get_package_share_directory
from rosidl_adapter import convert_to_idl
import rosidl_generator_c
import rosidl_generator_py
import rosidl_generator_type_description
import rosidl_parser.parser
import rosidl_typesupport_c
import rosidl_typesupport_fastrtps_c
import rosidl_typesupport_introspection_c

KINDS = ('msg', 'srv', 'action')
TYPE_SUPPORTS = {
    'rosidl_typesupport_fastrtps_c': rosidl_typesupport_fastrtps_c.generate_typesupport_fastrtps_c,
    'rosidl_typesupport_introspection_c': rosidl_typesupport_introspection_c.generate_c,
}
GENERATORS = {
    'rosidl_generator_c': rosidl_generator_c.generate_c,
    **TYPE_SUPPORTS,
    'rosidl_typesupport_c': partial(rosidl_typesupport_c.generate_c,
                                    type_supports=list(TYPE_SUPPORTS)),
    'rosidl_generator_py': partial(rosidl_generator_py.generate_py,
                                   typesupport_impls=['rosidl_typesupport_c']),
}


@dataclass(frozen=True)
class InterfacePackage:
    """A folder with interface files and a package.xml."""

    folder: Path
    name: str
    dependencies: list[str]     # interface packages


def read_interface_package(folder: Path) -> InterfacePackage:
    """Read the package.xml of a folder."""
    root = ElementTree.parse(folder / 'package.xml').getroot()
    named = {(element.text or '').strip() for element in root.iter('depend')}
    return InterfacePackage(folder, (root.findtext('name') or '').strip(),
                            sorted({*named, 'builtin_interfaces', 'service_msgs'}))


def interface_files(folder: Path) -> list[Path]:
    """Interface files of a package, relative to its folder."""
    return sorted(path.relative_to(folder) for kind in KINDS
                  for path in (folder / kind).glob(f'*.{kind}'))


def write_idl(folder: Path, name: str, target: Path) -> list[Path]:
    """Translate all interfaces of a package to IDL; return its files relative to the target."""
    files = interface_files(folder)
    for path in files:
        convert_to_idl(folder, name, path, target)
    return [path.with_suffix('.idl') for path in files]


@contextmanager
def _arguments(name: str, generator: str, source: Path, files: Sequence[Path], target: Path,
               **more: object) -> Iterator[str]:
    """Path of the file in which a generator finds what to do."""
    templates = Path(get_package_share_directory(generator), 'resource')
    with TemporaryDirectory() as folder:
        path = Path(folder, 'arguments.json')
        path.write_text(json.dumps({
            'package_name': name, 'template_dir': str(templates), 'output_dir': str(target),
            'idl_tuples': [f'{source}:{file}' for file in files],
            'ros_interface_dependencies': [], 'target_dependencies': [], **more}))
        yield str(path)


def write_hashes(name: str, dependencies: Sequence[str], source: Path,
                 files: Sequence[Path]) -> None:
    """Write the description and the hash of each type beside its IDL file, as ROS 2 does."""
    includes = [f'{package}:{get_package_share_directory(package)}' for package in dependencies]
    with _arguments(name, 'rosidl_generator_type_description', source, files, source,
                    include_paths=includes) as path:
        rosidl_generator_type_description.generate_type_hash(path)


def write_sources(name: str, generator: str, source: Path, files: Sequence[Path],
                  target: Path) -> None:
    """Let one of GENERATORS write its sources to target/generator/name."""
    target = target / generator / name
    for kind in {file.parent for file in files}:
        (target / kind / 'detail').mkdir(parents=True, exist_ok=True)
    described = [f'{file}:{(source / file).with_suffix(".json")}' for file in files]
    with _arguments(name, generator, source, files, target,
                    type_description_tuples=described) as path:
        GENERATORS[generator](path)
    templates = Path(get_package_share_directory(generator), 'resource')
    for header in templates.glob('*__visibility_control.h.in'):
        text = header.read_text().replace('@PROJECT_NAME@', name)
        (target / 'msg').mkdir(exist_ok=True)
        (target / 'msg' / header.stem).write_text(
            text.replace('@PROJECT_NAME_UPPER@', name.upper()))


def write_all(target: Path, folders: Sequence[Path]) -> None:
    """Write IDL files, hashes and all sources of packages below target/package."""
    rosidl_parser.parser.get_ast_from_idl_string = cache(
        rosidl_parser.parser.get_ast_from_idl_string)
    jobs = []
    for package in map(read_interface_package, folders):
        work = target / package.name
        files = write_idl(package.folder, package.name, work / 'share')
        write_hashes(package.name, package.dependencies, work / 'share', files)
        jobs += [(package.name, generator, work / 'share', files, work)
                 for generator in reversed(GENERATORS)]
    # The processes begin with what is parsed.
    with ProcessPoolExecutor(mp_context=get_context('fork')) as pool:
        for job in [pool.submit(write_sources, *job) for job in jobs]:
            job.result()


if __name__ == '__main__':
    write_all(Path(sys.argv[1]), [Path(folder) for folder in sys.argv[2:]])
