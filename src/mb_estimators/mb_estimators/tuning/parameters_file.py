"""Tuned settings as a file of parameters that the estimator node loads."""

from mb_model.file_api import sections_text


def parameters_text(mechanism, filter, sensors, dt, values, comments=()):
    """Return a file for `ros2 run mb_estimators estimator --ros-args --params-file FILE`.

    mechanism: name or path; filter: name; sensors: names; values: of settings, by name, noise that
    is expected of a sensor by `<sensor>.<setting>`; comments: lines at the top.
    """
    parameters = {'mechanism': str(mechanism), 'estimator': filter, 'sensors': list(sensors),
                  'dt': float(dt), 'filter': {}}
    for name, value in values.items():
        sensor, _, quantity = name.rpartition('.')
        parameters.setdefault(sensor or 'filter', {})[quantity] = value
    if not parameters['filter']:
        del parameters['filter']
    text = sections_text({'estimator': parameters})
    return ''.join(f'# {line}\n' for line in comments) + text
