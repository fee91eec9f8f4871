"""Values given on the command line."""
import argparse

import yaml


def positive_float(text):
    """Type of an argument: a number above 0."""
    value = float(text)
    if value <= 0:
        raise argparse.ArgumentTypeError(f'{text} must be positive')
    return value


def positive_int(text):
    """Type of an argument: a whole number above 0."""
    value = int(text)
    if value <= 0:
        raise argparse.ArgumentTypeError(f'{text} must be positive')
    return value


def not_negative(text):
    """Type of an argument: a number that is not below 0."""
    value = float(text)
    if value < 0:
        raise argparse.ArgumentTypeError(f'{text} must not be negative')
    return value


def unsigned_int(text):
    """Type of an argument: a whole number that is not below 0."""
    value = int(text)
    if value < 0:
        raise argparse.ArgumentTypeError(f'{text} must not be negative')
    return value


def yaml_dictionary(text):
    """{field: value} of YAML text.  Raises RuntimeError."""
    try:
        values = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise RuntimeError(f'The passed value is not valid YAML: {error}') from None
    if values is None:
        values = {}
    if not isinstance(values, dict):
        raise RuntimeError('The passed value needs to be a dictionary in YAML format')
    return values
