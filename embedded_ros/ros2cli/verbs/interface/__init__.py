"""Show information about ROS interfaces."""
VERBS = {
    'list': 'List all interface types available',
    'package': 'Output a list of available interface types within one package',
    'packages': 'Output a list of packages that provide interfaces',
    'proto': 'Output an interface prototype',
    'show': 'Output the interface definition',
}
