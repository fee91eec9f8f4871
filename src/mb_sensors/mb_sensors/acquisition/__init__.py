"""From the samples of a device to stamped readings, without ever blocking a node."""
