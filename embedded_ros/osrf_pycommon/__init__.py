"""The part of osrf_pycommon that users of launch need."""
