"""Evaluated parameters as rclpy parameters."""
from pathlib import Path


def to_parameters_list(context, node_name, namespace, evaluated_parameters):
    """Return rcl_interfaces Parameter messages of files, dicts and Parameters, in this order."""
    from rclpy.parameter import Parameter as RclpyParameter, parameter_dict_from_yaml_file

    from ..parameter_descriptions import Parameter
    messages = []
    for item in evaluated_parameters:
        if isinstance(item, Path):
            found = parameter_dict_from_yaml_file(
                str(item), use_wildcard=True,
                target_nodes=[f"{(namespace or '').rstrip('/')}/{node_name}"])
            messages.extend(found.values())
            continue
        pairs = [(item.name, item.value)] if isinstance(item, Parameter) else item.items()
        messages.extend(
            RclpyParameter(name, value=value).to_parameter_msg() for name, value in pairs)
    return messages
