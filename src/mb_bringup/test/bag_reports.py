"""Reports that `ros2 run mb_evaluation report` makes of the bag of a run, or of its first part."""

import json
import shutil
import subprocess

import rosbag2_py


def report_in(folder):
    """Return the report in a folder of a run."""
    return json.loads((folder / 'report.json').read_text())


def message_counts(bag):
    """Return how many messages of each topic are in a bag."""
    metadata = rosbag2_py.Info().read_metadata(str(bag), '')
    return {topic.topic_metadata.name: topic.message_count
            for topic in metadata.topics_with_message_count}


def report_of_bag(run, folder):
    """Return the report of a run's bag; it is made in a folder."""
    subprocess.run(['ros2', 'run', 'mb_evaluation', 'report', str(run), '--output', str(folder)],
                   check=True, timeout=120)
    return report_in(folder)


def interrupted(run, folder, after):
    """Make a folder of a run as if it had been interrupted some time [s] after its first state.

    Its bag has the messages until then, in the order in which they were recorded.
    """
    folder.mkdir()
    shutil.copy(run / 'parameters.yaml', folder)
    for model in run.glob('m*.yaml'):       # mechanisms, which the parameters name
        shutil.copy(model, folder)
    reader, writer = rosbag2_py.SequentialReader(), rosbag2_py.SequentialWriter()
    reader.open(rosbag2_py.StorageOptions(uri=str(run / 'bag'), storage_id='mcap'),
                rosbag2_py.ConverterOptions('', ''))
    writer.open(rosbag2_py.StorageOptions(uri=str(folder / 'bag'), storage_id='mcap'),
                rosbag2_py.ConverterOptions('', ''))
    for topic in reader.get_all_topics_and_types():
        writer.create_topic(topic)
    first = None
    while reader.has_next():
        topic, data, arrival = reader.read_next()
        if first is None and topic == '/prototype/state':
            first = arrival
        if first is not None and arrival > first + 1e9 * after:
            break
        writer.write(topic, data, arrival)
    del writer      # the bag is complete then; not every writer has a close()
    return folder
