"""Packages and what is in them."""
import os

from ament_index_python.packages import get_package_prefix, get_package_share_directory
from launch import Substitution
from launch.frontend import expose_substitution
from launch.substitutions import SubstitutionFailure
from launch.substitutions.values import described, exactly
from launch.utilities import normalize_to_list_of_substitutions, perform_substitutions


class FindPackage(Substitution):
    """Base of folders of a package: subclasses override find()."""

    def __init__(self, package):
        self._package = normalize_to_list_of_substitutions(package)

    @classmethod
    def parse(cls, data):
        exactly(cls.__name__, data, 1)
        return cls, {'package': data[0]}

    def find(self, package_name):
        """Return the folder of a package; a PackageNotFoundError if there is no such package."""
        raise NotImplementedError('FindPackage.find() must be overridden')

    def describe(self):
        return f'{type(self).__name__}(pkg={described(self._package)})'

    def perform(self, context):
        return self.find(perform_substitutions(context, self._package))


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


@expose_substitution('exec-in-pkg')
class ExecutableInPackage(FindPackagePrefix):
    """The path of an executable in a package's lib/<package> directory."""

    def __init__(self, executable, package):
        super().__init__(package)
        self.__executable = normalize_to_list_of_substitutions(executable)

    @classmethod
    def parse(cls, data):
        exactly('exec-in-pkg', data, 2)
        return cls, {'executable': data[0], 'package': data[1]}

    def describe(self):
        return f'ExecInPkg(pkg={described(self._package)}, exec={described(self.__executable)})'

    def perform(self, context):
        executable = perform_substitutions(context, self.__executable)
        package = perform_substitutions(context, self._package)
        folder = os.path.join(super().perform(context), 'lib', package)
        path = os.path.join(folder, executable)
        if not (os.path.isfile(path) and os.access(path, os.X_OK)):
            raise SubstitutionFailure(
                f"executable '{executable}' not found on the libexec directory '{folder}' ")
        return path
