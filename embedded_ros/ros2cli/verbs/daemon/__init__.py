"""Various daemon related sub-commands."""
VERBS = {
    'start': "Start the daemon if it isn't running",
    'status': 'Output the status of the daemon',
    'stop': 'Stop the daemon if it is running',
}
