"""What a recording of the view in a browser holds."""

from rerun.chunk import RrdReader


def recorded(file):
    """Return the components of each entity of a recording, all chunks in a row."""
    found = {}
    for chunk in RrdReader(file).stream():
        columns, batch = found.setdefault(chunk.entity_path, {}), chunk.to_record_batch()
        for name in batch.schema.names:
            if ':' in name:
                columns.setdefault(name.partition(':')[2], []).extend(batch[name].to_pylist())
    return found
