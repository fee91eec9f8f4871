"""Processes and their output in tests of any kind."""
from .output import basic_output_filter, expect_output, expected_output_from_file
from .process import ProcessProxy, launch_process

__all__ = ['ProcessProxy', 'basic_output_filter', 'expect_output', 'expected_output_from_file',
           'launch_process']
