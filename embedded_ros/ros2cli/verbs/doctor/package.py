"""Packages that are installed here."""
from pathlib import Path
from xml.etree import ElementTree

from ament_index_python import get_packages_with_prefixes

from ros2cli.verbs.doctor.finding import Finding, Section


def examine(node):
    """Return the Finding.  No index of published versions is asked, as nothing else is here."""
    section, warnings = Section('PACKAGE VERSIONS'), []
    for name, prefix in sorted(get_packages_with_prefixes().items()):
        manifest = Path(prefix) / 'share' / name / 'package.xml'
        if not manifest.is_file():      # part of embedded_ros
            continue
        version = version_in(manifest)
        if version is None:
            warnings.append(f'{manifest} has no version of {name}.')
        section.add((name, f'latest=N/A, local={version or "N/A"}'))
    return Finding([section], warnings=warnings)


def version_in(manifest):
    """Return the version in a package.xml, None without a readable one."""
    try:
        return (ElementTree.parse(manifest).findtext('version') or '').strip() or None
    except (OSError, ElementTree.ParseError):
        return None
