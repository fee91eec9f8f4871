"""Topics of the states of a run: of the machine, of the uncorrected model, of the observer."""

STATE_TOPICS = {'prototype': 'prototype/state', 'model': 'model_simulation/state',
                'observer': 'estimator/state'}
