"""The contact detector as a C library."""
