"""Pages of docs/how_to: their commands exist, their machines and Python run."""

from pathlib import Path
import re
import shlex

import pytest
from test_readme import PROGRAMS, arguments_of

from mb_model.checking import look_through

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted((ROOT / 'docs' / 'how_to').rglob('*.md'))


def blocks(page, language):
    """Return the fenced blocks of a language."""
    return re.findall(rf'^```{language}\n(.*?)^```', page.read_text(encoding='utf-8'),
                      re.DOTALL | re.MULTILINE)


def lines(page):
    """Return the ros2 commands that stand alone on lines, continued ones joined."""
    text = page.read_text(encoding='utf-8').replace('\\\n', ' ')
    return re.findall(r'^ *(ros2 (?:launch|run) .+)$', text, re.MULTILINE)


COMMANDS = sorted({(page.name, line) for page in PAGES for line in lines(page)})
MACHINES = [(page, block) for page in PAGES for block in blocks(page, 'yaml')
            if re.search('^name:', block, re.MULTILINE) and 'independent:' in block]
# factor_graphs.md: its blocks run in mb_estimators/test/test_composed_graph.py
EXAMPLES = [(page, '\n'.join(blocks(page, 'python'))) for page in PAGES
            if blocks(page, 'python') and page.stem != 'factor_graphs']


def executables(package):
    """Return the programs in C++ of a package, by its CMakeLists.txt."""
    file = ROOT / 'src' / package / 'CMakeLists.txt'
    return re.findall(r'(?:EXECUTABLE |add_executable\()(\w+)', file.read_text(
        encoding='utf-8')) if file.is_file() else []


def named(case):
    """Return the name of a case's page."""
    return case[0].stem


@pytest.mark.parametrize(('page', 'command'), COMMANDS)
def test_a_command_exists(page, command):
    _, verb, package, name, *given = shlex.split(command, comments=True)
    if verb == 'run' and package.startswith('mb_'):
        assert (package, name) in PROGRAMS or name in executables(package), page
    elif verb == 'launch' and package == 'mb_bringup':
        arguments = arguments_of(name)
        for word in given:
            key, _, value = word.partition(':=')
            assert key in arguments or word == '--show-args', word
            if value:
                arguments[key].check(key, value)


@pytest.mark.parametrize('case', MACHINES, ids=named)
def test_a_machine_is_right(case, tmp_path):
    file = tmp_path / 'machine.yaml'
    file.write_text(case[1], encoding='utf-8')
    found = look_through(file)
    assert (found.mistakes, found.doubts) == ((), ())


@pytest.mark.parametrize('case', EXAMPLES, ids=named)
def test_an_example_runs(case, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    exec(case[1], {})
