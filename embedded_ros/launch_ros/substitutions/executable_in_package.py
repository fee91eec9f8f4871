"""Executables of packages."""
import os

from launch.frontend import expose_substitution
from launch.substitutions import SubstitutionFailure
from launch.substitutions.described import described, exactly
from launch.utilities import normalize_to_list_of_substitutions, perform_substitutions

from .find_package import FindPackagePrefix


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

    @property
    def executable(self):
        return self.__executable

    def describe(self):
        return f'ExecInPkg(pkg={described(self.package)}, exec={described(self.executable)})'

    def perform(self, context):
        executable = perform_substitutions(context, self.executable)
        package = perform_substitutions(context, self.package)
        folder = os.path.join(super().perform(context), 'lib', package)
        path = os.path.join(folder, executable)
        if not (os.path.isfile(path) and os.access(path, os.X_OK)):
            raise SubstitutionFailure(
                f"executable '{executable}' not found on the libexec directory '{folder}' ")
        return path
