"""Print the schema of mechanism files, for editors; or as a page, for people."""

import argparse
import json
import sys

from mb_model.commands.exits import run_command


def main(arguments=None):
    """Print the schema; return the exit code."""
    parser = argparse.ArgumentParser(prog='ros2 run mb_model schema', description=__doc__)
    parser.add_argument('--markdown', action='store_true', help='as a page with tables')
    parser.add_argument('--space', action='store_true',
                        help='with --markdown: of mechanisms in space')
    return run_command(_schema, parser, arguments)


def _schema(given):
    # Imports are here: the kinds have kernels, which take long to import.
    from mb_model.mechanism_file.schema import published_schema
    from mb_model.mechanism_file.schema.page import schema_page
    yield (schema_page(3 if given.space else 2) if given.markdown
           else json.dumps(published_schema(), indent=2))


if __name__ == '__main__':
    sys.exit(main())
