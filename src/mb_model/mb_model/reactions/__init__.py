"""The forces that hold the bodies of a mechanism together."""
