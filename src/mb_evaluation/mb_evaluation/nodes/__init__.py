"""ROS 2 nodes: wiring only."""

# Of the machine, of the uncorrected model, of the observer
STATE_TOPICS = {'prototype': 'prototype/state', 'model': 'model_simulation/state',
                'observer': 'estimator/state'}
