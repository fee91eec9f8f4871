"""The README: short, in its order, and true; the page of commands as well."""

import ast
from importlib.metadata import entry_points
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
import re
import shlex

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / 'README.md'
MOST_LINES = 100
SECTIONS = ['Estimate a linkage', 'Your machine', 'More demonstrations', 'In Python', 'More']
PAGES = (README, ROOT / 'docs/reference/commands.md')
PROGRAMS = {(entry.dist.name.replace('-', '_'), entry.name)
            for entry in entry_points(group='console_scripts')}


def sections(page):
    """Return [(title, text)] of a page; the first one is the page's."""
    parts = re.split(r'^##? (.+)\n', page.read_text(encoding='utf-8'), flags=re.MULTILINE)
    return list(zip(parts[1::2], parts[2::2], strict=True))


def commands(text):
    """Return the ros2 commands of a section; '...' continues the first launch of it."""
    found = [line.strip() for line in text.splitlines() if line.startswith('    ros2 ')]
    found += re.findall(r'`(ros2 [^`]+|\.\.\. [\w-][^`]*)`', text)
    launches = [one for one in found if one.startswith('ros2 launch ')]
    return [one.replace('...', ' '.join(launches[0].split()[:4]), 1)
            if one.startswith('...') and launches else one for one in found]


def arguments_of(name):
    """Return the Arguments of a launch file of mb_bringup."""
    path = ROOT / 'src' / 'mb_bringup' / 'launch' / name
    spec = spec_from_file_location(path.name.replace('.', '_'), path)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.ARGUMENTS


LAUNCHES = [(page.name, title, one) for page in PAGES for title, text in sections(page)
            for one in commands(text) if one.startswith('ros2 launch ')]
RUNS = sorted({tuple(one.split()[2:4]) for page in PAGES for _, text in sections(page)
               for one in commands(text) if one.startswith('ros2 run ')})


def test_it_is_short_and_in_order():
    """What it is, a picture, two commands; then one section for each audience."""
    text = README.read_text(encoding='utf-8')
    assert len(text.splitlines()) <= MOST_LINES
    titles, texts = zip(*sections(README), strict=True)
    assert list(titles[1:]) == SECTIONS
    before, picture, after = texts[0].partition('](docs/pictures/estimate.gif)')
    assert 'multibody model' in before
    assert picture
    assert re.findall(r'^    make (\S+)', after, re.MULTILINE) == ['demo', 'test']


def test_its_files_exist():
    for target in re.findall(r'\]\(([^)#:]+)\)', README.read_text(encoding='utf-8')):
        assert (ROOT / target).exists(), target


@pytest.mark.parametrize(('page', 'title', 'command'), LAUNCHES)
def test_launch_commands_have_arguments_that_exist(page, title, command):
    """With values that are possible, where these do not depend on the machine."""
    _, _, package, name, *given = shlex.split(command)
    assert package == 'mb_bringup', (page, title)
    arguments = arguments_of(name)
    for word in given:
        if word != '--show-args':
            key, separator, value = word.partition(':=')
            assert separator, word
            assert key in arguments, word
            if value:
                arguments[key].check(key, value)


@pytest.mark.parametrize('program', RUNS)
def test_programs_exist(program):
    assert program in PROGRAMS


def test_pages_have_commands():
    assert len(LAUNCHES) > 30
    assert len(RUNS) > 15


def test_the_python_example_gives_its_figures():
    """The values in its comments, to their digits."""
    source = re.search(r'```python\n(.*?)```', README.read_text(encoding='utf-8'), re.DOTALL)[1]
    names, checked = {}, 0
    for node in ast.parse(source).body:
        text = ast.get_source_segment(source, node)
        if not isinstance(node, ast.Expr):
            exec(text, names)
            continue
        comment = source.splitlines()[node.end_lineno - 1].partition('# ')[2]
        values = np.concatenate([np.ravel(part) for part in np.atleast_1d(eval(text, names))])
        for value, shown in zip(values, re.findall(r'\[([-\d.]+)\]', comment), strict=True):
            assert f'{value:.{len(shown.partition(".")[2])}f}' == shown
            checked += 1
    assert checked == 3
