"""Folders of packages."""
from ament_index_python.packages import get_package_prefix, get_package_share_directory
from launch.frontend import expose_substitution
from launch.substitution import Substitution
from launch.substitutions.described import described, exactly
from launch.utilities import normalize_to_list_of_substitutions, perform_substitutions


class FindPackage(Substitution):
    """Base of folders of a package: subclasses override find()."""

    def __init__(self, package):
        self.__package = normalize_to_list_of_substitutions(package)

    @classmethod
    def parse(cls, data):
        exactly(cls.__name__, data, 1)
        return cls, {'package': data[0]}

    @property
    def package(self):
        return self.__package

    def find(self, package_name):
        """Return the folder of a package; a PackageNotFoundError if there is no such package."""
        raise NotImplementedError('FindPackage.find() must be overridden')

    def describe(self):
        return f'{type(self).__name__}(pkg={described(self.package)})'

    def perform(self, context):
        return self.find(perform_substitutions(context, self.package))


@expose_substitution('find-pkg-prefix')
class FindPackagePrefix(FindPackage):
    """The prefix below which a package is installed."""

    def find(self, package_name):
        return get_package_prefix(package_name)


@expose_substitution('find-pkg-share')
class FindPackageShare(FindPackage):
    """The share directory of a package."""

    def find(self, package_name):
        return get_package_share_directory(package_name)
