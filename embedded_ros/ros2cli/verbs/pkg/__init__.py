"""Various package related sub-commands."""
VERBS = {
    'executables': 'Output a list of package specific executables',
    'list': 'Output a list of available packages',
    'prefix': 'Output the prefix path of a package',
    'xml': 'Output the XML of the package manifest or a specific tag',
}
