"""Bags of readings and commands of the crane, and files of cranes that differ."""

from message_bags import write_messages
from sensor_msgs.msg import FluidPressure, JointState

from mb_interfaces.msg import ValveCommand
from mb_ros.stamps import stamp as to_stamp


def write_bag(folder, run):
    """Write a bag of readings and commands of a run; return its folder."""
    readings, sent = run.readings(2), []
    for k in range(0, len(run.t), 10):
        stamp, row = int(run.stamps[k]), readings[k]
        messages = {'valve_command': ValveCommand(valve=['directional'],
                                                  command=run.truth.U_in[k]),
                    'cylinder_encoder': JointState(name=['cylinder_encoder'], position=row[:1]),
                    'pressure1': FluidPressure(fluid_pressure=row[1]),
                    'pressure2': FluidPressure(fluid_pressure=row[2])}
        for name, message in messages.items():
            message.header.stamp = to_stamp(stamp)
            sent.append((f'/{name}', message))
    return write_messages(folder, sent)


def write_crane(folder, hydraulics):
    """Write the file of a crane with other hydraulics, flow mapping in YAML; return its path."""
    crane = folder / 'mine.yaml'
    crane.write_text(f'extends: crane\nhydraulics: {hydraulics}\n')
    return str(crane)
