"""The documentation site: it builds, and what its pages name is there."""

import ast
from importlib import import_module
from importlib.metadata import entry_points
import json
import os
from pathlib import Path
import re
import shutil
import subprocess
import sys

from proof_mutations import MUTATIONS
import pytest

from benchmarks.command import benchmarks
from benchmarks.figures_of_papers.catalogue import find

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / 'docs/hooks'))
from reference_pages import PAGES  # noqa: E402 - a script, found by its folder

QUIET = {**os.environ, 'NO_MKDOCS_2_WARNING': '1'}
pytestmark = pytest.mark.timeout(600)      # nodes are set up for their pages


@pytest.fixture(scope='module')
def site(tmp_path_factory):
    """The folder of the site, built strictly: a broken link or anchor fails."""
    folder = tmp_path_factory.mktemp('site')
    done = subprocess.run(['mkdocs', 'build', '--strict', '--quiet', '--site-dir', folder],
                          cwd=ROOT, env=QUIET, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def without_optional(page):
    """Return a page of nodes without the ones that cannot be asked everywhere."""
    return re.sub(r'\n## \w+ web_view\n.*?(?=\n## |\Z)', '', page, flags=re.DOTALL)


@pytest.mark.parametrize('name', [
    pytest.param(name, marks=pytest.mark.whole) if name == 'nodes' else name for name in PAGES])
def test_generated_pages_are_up_to_date(name):
    file = ROOT / 'docs/reference' / f'{name}.md'
    assert without_optional(file.read_text()) == without_optional(PAGES[name]()), 'make reference'


@pytest.mark.whole
def test_every_node_and_filter_is_described(site):
    nodes = (site / 'reference/nodes.html').read_text()
    for file in ROOT.glob('src/*/mb_*/nodes/*.py'):
        if 'main = NodeMain(' in file.read_text():
            assert f'{file.parts[-3]} {file.stem}</' in nodes.replace('<a', '</'), file
    settings = (site / 'reference/filter_settings.html').read_text()
    assert 'error_ekf_fe' in settings
    assert 'acceleration_variance' in settings


@pytest.mark.parametrize('package', ['mb_model', 'mb_sensors', 'mb_estimators', 'mb_contact'])
def test_what_a_package_exports_is_described(site, package):
    """By signatures whose types are names, as the sources have them."""
    page = (site / f'reference/api/{package}.html').read_text()
    for name, (module, original) in import_module(package).EXPORTS.items():
        assert f'id="{module}.{original}"' in page or f'id="{name.lower()}"' in page, name
    assert 'FloatArray' in page
    assert '_NestedSequence' not in page


def test_queries_of_a_mechanism_are_described_with_shapes_and_units(site):
    page = re.sub('<[^>]+>', '', (site / 'reference/api/mb_model.html').read_text())
    assert re.search(r'linearise\(\s*z: .*?-&gt; tuple\[FloatArray, FloatArray\]', page, re.DOTALL)
    assert 'NDArray[np.float64]' in re.sub('<[^>]+>', '', (
        site / 'reference/api/arrays.html').read_text())


def test_values_of_a_standard_are_shown_as_unchecked():
    """Wherever the limits or stiffnesses of ISO/TS 15066 are named, in words and in programs."""
    files = [file for pattern in ('docs/**/*.md', 'src/*/README.md', 'src/mb_*/mb_*/**/*.py')
             for file in ROOT.glob(pattern) if 'TS 15066' in file.read_text()]
    assert len(files) >= 5
    for file in files:
        text = ' '.join(file.read_text().replace("'", '').split())
        assert 'not checked against a copy of' in text, file


@pytest.mark.whole
def test_nothing_is_fetched_from_elsewhere(site):
    for page in site.rglob('*.html'):
        fetched = re.findall(r'<(?:script|img|link)[^>]+(?:src|href)="(https?:[^"]+)"',
                             page.read_text())
        assert not fetched, (page.name, fetched)


@pytest.mark.whole
@pytest.mark.skipif(shutil.which('chromium') is None, reason='no Chromium is installed')
def test_a_site_on_disk_can_be_searched(site, tmp_path):
    """No server has to be there; identifiers stay whole in what is found and shown."""
    page = site / 'how_to' / 'bags.html'
    shown = subprocess.run(
        ['chromium', '--headless', '--no-sandbox', '--disable-gpu', '--no-first-run',
         '--host-resolver-rules=MAP * ~NOTFOUND', f'--user-data-dir={tmp_path}',
         '--virtual-time-budget=20000', '--dump-dom', f'{page.as_uri()}?q=estimate_bag'],
        capture_output=True, text=True, timeout=240, check=True).stdout
    found = re.findall(r'<a href="([^"]+)" class="md-search-result__link"', shown)
    assert any('how_to/bags.html' in address for address in found), shown[-2000:]


@pytest.mark.whole
def test_identifiers_are_not_broken_in_mid_word(site):
    sheet = (site / 'stylesheets' / 'pages.css').read_text()
    assert re.search(r'code \{[^}]*word-break: normal', sheet)
    assert 'stylesheets/pages.css' in (site / 'how_to' / 'bags.html').read_text()


def defined(file):
    """The names of the tests in a file, Class::method for those in classes."""
    body = ast.parse(file.read_text()).body
    return {node.name for node in body if isinstance(node, ast.FunctionDef)} | {
        f'{node.name}::{method.name}' for node in body if isinstance(node, ast.ClassDef)
        for method in node.body if isinstance(method, ast.FunctionDef)}


def compared():
    """Return {feature: (what is here, [(file, test)])} of the page of comparison."""
    page = (ROOT / 'docs/evidence/comparison.md').read_text()
    rows = [[cell.strip() for cell in line.strip('|').split('|')]
            for line in page.splitlines() if line.startswith('| ')]
    folders = {'test': 'test', 'ros_tools': 'ros_tools/test'}
    return {row[0]: (row[-2], [
        (f'{folders.get(package, f"src/{package}/test")}/{file}', test)
        for package, file, test in re.findall(r'`(\w+)/(test_\w+\.py)::([\w:]+)`', row[-1])])
        for row in rows if row[0] not in ('feature', '---')}


def test_what_is_compared_is_proved():
    """Every feature on the page of comparison names a test that exists, or says no."""
    features = compared()
    assert len(features) > 50
    for here, proofs in features.values():
        assert proofs or here.startswith('no: '), here
        for file, test in proofs:
            assert test in defined(ROOT / file), f'{file}::{test}'


def test_the_number_of_filters_is_the_number_of_plugins():
    here, _ = compared()['Kalman filters']
    assert here.startswith(f"[{len(entry_points(group='mb_estimators.filters'))} filters](")


@pytest.mark.whole
def test_proofs_fail_without_their_features(tmp_path):
    """Of a sample of features: their tests pass, and fail when the feature is taken out."""
    features = compared()
    proofs = {f'{file}::{test}': feature for feature in MUTATIONS
              for file, test in features[feature][1]}
    assert len(proofs) >= 10
    file = tmp_path / 'proofs.json'
    file.write_text(json.dumps(proofs))
    done = subprocess.run(
        [sys.executable, '-m', 'pytest', '-q', '-p', 'no:cacheprovider', '-p', 'proof_mutations',
         *proofs], cwd=ROOT, capture_output=True, text=True, check=False,
        env={**os.environ, 'PROOFS': str(file), 'PYTHONPATH': os.pathsep.join(
            [str(ROOT / 'test'), *filter(None, [os.environ.get('PYTHONPATH')])])})
    found = json.loads(file.read_text())
    assert found == {proof: [True, False] for proof in proofs}, (
        done.stdout[-4000:] + done.stderr[-4000:])


def test_each_fault_that_a_ros2_showed_has_a_test():
    """Every row of the table of the page names files of tests that exist."""
    page = (ROOT / 'docs/evidence/ros2.md').read_text()
    table = page.partition('| what happened | now | test |')[2].partition('\n\n')[0]
    rows = [line for line in table.splitlines()[2:] if line.startswith('| ')]
    assert len(rows) > 10
    for row in rows:
        files = re.findall(r'`([\w/]+/test_\w+\.py)`', row.rpartition(' | ')[2])
        assert files, row
        assert all((ROOT / file).is_file() for file in files), row


def pages():
    """All pages that users read, but for what is generated."""
    return [ROOT / 'README.md', *ROOT.glob('docs/**/*.md'), *ROOT.glob('src/*/README.md'),
            ROOT / 'ros_tools' / 'README.md']


@pytest.mark.parametrize('page', pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_links_hold_in_the_repository(page):
    """So that pages can be read on GitHub as on the site."""
    for target in re.findall(r'\]\(([^)#\s]+)(?:#[^)\s]*)?\)', page.read_text()):
        assert '://' in target or (page.parent / target).exists(), target


def test_benchmarks_and_targets_that_pages_name_exist():
    names = set(benchmarks())
    targets = set(re.findall(r'^([\w-]+):', (ROOT / 'Makefile').read_text(), re.MULTILINE))
    found = 0
    for page in pages():
        text = page.read_text()
        for line in re.findall(r'python -m benchmarks((?: \w+)+)', text):
            first, *others = line.split()
            if first == 'figure':
                assert find(others[0], int(others[1])), (page, line)
            else:
                assert {first, *others} <= names, (page, line)
            found += 1
        for target in re.findall(r'(?:`|^ {4})make ([\w-]+)(?![\w=-])', text, re.MULTILINE):
            assert target in targets, (page, target)
    assert found > 20


def test_each_table_of_reproduced_figures_names_its_command():
    """In the table, or in the text between its headings."""
    page = (ROOT / 'docs/evidence/reproduction.md').read_text()
    for section in re.split(r'^#+ ', page, flags=re.MULTILINE):
        if '| --- |' in section:
            commands = re.findall(
                r'python -m benchmarks \w+|make [\w-]+|pytest [\w/]+\.py', section)
            assert commands, section.splitlines()[0]
            assert all((ROOT / command.split()[1]).is_file() for command in commands
                       if command.startswith('pytest'))
