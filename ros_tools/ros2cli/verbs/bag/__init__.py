"""Various rosbag related sub-commands."""
VERBS = {
    'convert': 'Given an input bag, write out a new bag with different settings',
    'info': 'Print information about a bag to the screen',
    'play': 'Play back ROS data from a bag',
    'record': 'Record ROS data to a bag',
    'reindex': 'Reconstruct metadata file for a bag',
}
FILES = {'reindex': 'convert'}
