"""What a release states: one version everywhere, a changelog in its form, files that hosts read."""

import json
import os
from pathlib import Path
import re
import subprocess
import xml.etree.ElementTree as ElementTree

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
CHANGELOG = (ROOT / 'CHANGELOG.md').read_text(encoding='utf-8')
VERSION = ElementTree.parse(ROOT / 'package.xml').findtext('version')
HEADINGS = ['What to change first', 'Added', 'Changed', 'Deprecated', 'Removed', 'Fixed',
            'Security']
SCHEMAS = {'CITATION.cff': 'citation-file-format', '.github/dependabot.yml': 'dependabot',
           '.github/ISSUE_TEMPLATE/bug.yml': 'github-issue-forms',
           '.github/ISSUE_TEMPLATE/wish.yml': 'github-issue-forms',
           '.github/ISSUE_TEMPLATE/config.yml': 'github-issue-config'}


def releases():
    """Return [(version, date, text)] of the changelog; the date is empty of what is unreleased."""
    parts = re.split(r'^## (\S+)(?: - (\S+))?$', CHANGELOG, flags=re.MULTILINE)
    return list(zip(parts[1::3], (date or '' for date in parts[2::3]), parts[3::3], strict=True))


def test_all_packages_have_one_version():
    found = {file: ElementTree.parse(file).findtext('version')
             for file in ROOT.glob('src/*/package.xml')}
    for file in [*ROOT.glob('src/*/setup.py'), ROOT / 'ros_tools/pyproject.toml']:
        found[file] = re.search(r"^version = '(.*)'$", file.read_text(), re.MULTILINE)[1]
    assert len(found) > 16
    assert {file.relative_to(ROOT): version for file, version in found.items()
            if version != VERSION} == {}
    assert f'<version>{VERSION}</version>' in (ROOT / 'ros_tools/setup.py').read_text()


def test_the_newest_release_is_this_version():
    """And the citation's, with its date."""
    citation = yaml.safe_load((ROOT / 'CITATION.cff').read_text())
    first, newest, *others = releases()
    assert first[:2] == ('Unreleased', '')
    assert newest[:2] == (citation['version'], str(citation['date-released']))
    assert newest[0] == VERSION
    order = [tuple(map(int, version.split('.'))) for version, *_ in (newest, *others)]
    assert order == sorted(order, reverse=True)
    dates = [date for _, date, _ in (newest, *others)]
    assert dates == sorted(dates, reverse=True)


@pytest.mark.parametrize(('version', 'text'), [(one[0], one[2]) for one in releases()])
def test_the_changelog_has_its_form(version, text):
    """Headings in their order, each entry one line, its links lead somewhere."""
    headings = re.findall(r'^### (.*)$', text, re.MULTILINE)
    assert headings == sorted(headings, key=HEADINGS.index)
    entries = [line for line in text.splitlines() if line.startswith('- ')]
    stray = [line for line in re.split(r'^###.*$|^- .*$', text, flags=re.MULTILINE)[1:]
             if line.strip()]
    assert stray == []
    for entry in entries:
        assert len(re.sub(r'\]\([^)]*\)', ']', entry)) < 330, entry
        for target in re.findall(r'\]\((?!https:)([^)]+)\)', entry):
            assert (ROOT / target).is_file(), entry      # a page, whose headings may change


@pytest.mark.parametrize(('file', 'schema'), SCHEMAS.items())
def test_files_of_the_host_are_valid(file, schema):
    done = subprocess.run(['check-jsonschema', '--builtin-schema', f'vendor.{schema}', ROOT / file],
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_containers_and_hooks_name_what_exists():
    """Targets of make, stages, files; and a container copies no environment."""
    docker = (ROOT / 'Dockerfile').read_text()
    container = json.loads((ROOT / '.devcontainer/devcontainer.json').read_text())
    built = container['build']
    assert (ROOT / '.devcontainer' / built['dockerfile']).resolve() == ROOT / 'Dockerfile'
    assert f' AS {built["target"]}\n' in docker
    assert 'make demo' in container['postCreateCommand'][-1]
    assert json.loads(re.search(r'^CMD (.*)$', docker, re.MULTILINE)[1]) == ['make', 'demo']
    made = re.search(r'make "\.venv-\$ROS_DISTRO/(\w+)"', docker)[1]
    subprocess.run(['make', '--dry-run', 'ROS_DISTRO=jazzy', f'.venv-jazzy/{made}', 'demo'],
                   cwd=ROOT, check=True, capture_output=True,
                   # not what make, where it runs this test, was given
                   env={name: value for name, value in os.environ.items()
                        if name not in ('MAKEFLAGS', 'MAKELEVEL', 'VENV')})
    assert '.venv*' in (ROOT / '.dockerignore').read_text().split()
    hooks = yaml.safe_load((ROOT / '.pre-commit-config.yaml').read_text())['repos'][0]['hooks']
    for word in ' '.join(hook['entry'] for hook in hooks).split():
        if word.endswith('.py'):
            assert (ROOT / word).is_file()


@pytest.fixture
def repository(tmp_path):
    """Return a function that commits a file and returns what .ci/changelog says of the commit."""
    def git(*words):
        subprocess.run(['git', '-c', 'user.name=a', '-c', 'user.email=a@b', *words], cwd=tmp_path,
                       check=True, capture_output=True)

    def commit(message, name, text):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        git('add', '--all')
        git('commit', '--message', message)
        return subprocess.run(['bash', tmp_path / '.ci/changelog', 'HEAD~1'], cwd='/', text=True,
                              capture_output=True, check=False)

    git('init')
    commit('first', '.ci/changelog', (ROOT / '.ci/changelog').read_text())
    return commit


def test_a_change_without_a_line_is_found(repository):
    done = repository('change', 'src/a/a.py', 'a = 1\n')
    assert (done.returncode, 'src/a/a.py' in done.stdout) == (1, True)
    assert repository('no change\n\n[no changelog]', 'src/a/a.py', 'a = 2\n').returncode == 0
    assert repository('tests', 'src/a/test/test_a.py', 'a = 2\n').returncode == 0
    assert repository('change', 'ros_tools/a.py', 'a = 3\n').returncode == 1
    assert repository('change', 'CHANGELOG.md', '# C\n- a is 3\n').returncode == 0


def test_a_base_that_is_not_there_is_named():
    done = subprocess.run([ROOT / '.ci/changelog', 'nowhere'], capture_output=True, text=True,
                          check=False)
    assert done.returncode == 2
    assert done.stdout == 'nowhere: no commit here; fetch it: git fetch origin\n'
