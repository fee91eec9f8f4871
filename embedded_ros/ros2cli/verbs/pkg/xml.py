"""Output the XML of the package manifest or a specific tag."""
import os
from xml.etree import ElementTree

from ament_index_python import PackageNotFoundError, get_package_share_directory


def add_arguments(parser):
    parser.add_argument('package_name', help='The package name')
    parser.add_argument('-t', '--tag', help='The XML tag')


def main(args):
    try:
        share = get_package_share_directory(args.package_name)
    except (PackageNotFoundError, ValueError):
        return 'Package not found'
    path = os.path.join(share, 'package.xml')
    if not os.path.exists(path):
        return f"Could not find 'package.xml' file at path '{path}'"
    root = ElementTree.parse(path).getroot()
    if not args.tag:
        print(ElementTree.tostring(root, encoding='unicode'))
        return None
    found = [element.text for element in root.iter(args.tag)]
    if not found:
        return f"Could not find tag '{args.tag}' in package '{args.package_name}'"
    for text in found:
        print(text or '')
    return None
