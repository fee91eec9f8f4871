"""Generated pages: READMEs, settings of filters, the mechanism file, nodes.

MkDocs calls on_files; see https://www.mkdocs.org/user-guide/configuration/#hooks.
"""

from pathlib import Path, PurePosixPath
import posixpath
import re
import sys

from mkdocs.structure.files import File

sys.path.insert(0, str(Path(__file__).parent))      # hooks are loaded one by one

from node_pages import nodes_page

from mb_estimators import available_filters
from mb_estimators.command_api import filter_page, filters_overview
from mb_model.kind_api import schema_page
from mb_sensors import sensor_kinds
from mb_sensors.command_api import kinds_overview

ROOT = Path(__file__).resolve().parents[2]
READMES = {'README.md': 'index.md', 'ros_tools/README.md': 'reference/packages/ros_tools.md'} | {
    f'src/{folder.parent.name}/README.md': f'reference/packages/{folder.parent.name}.md'
    for folder in sorted(ROOT.glob('src/*/README.md'))}
_LINK = re.compile(r'(!?)\[([^\]]*)\]\(([^)#\s]+)(#[^)]*)?\)')


def on_files(files, config):
    """Add the generated pages to the pages of the folder."""
    for source, page in READMES.items():
        text = (ROOT / source).read_text(encoding='utf-8')
        add(files, config, page, with_links_of_site(text, PurePosixPath(source), page))
    add(files, config, 'reference/mechanism_file.md', schema_page())
    add(files, config, 'reference/mechanism_file_in_space.md', schema_page(3))
    add(files, config, 'reference/sensor_kinds.md', kinds_page())
    add(files, config, 'reference/filter_settings.md', settings_page())
    add(files, config, 'reference/nodes.md', nodes_page())
    return files


def add(files, config, page, text):
    """Add a page of Markdown."""
    files.append(File.generated(config, page, content=text))


def kinds_page():
    """Return every kind of sensor, as one page."""
    return '\n'.join([
        '# Kinds of sensors', '',
        'Written from the files of the kinds; `ros2 run mb_sensors kinds` prints the same. Keys in '
        'brackets have defaults; the [mechanism file](mechanism_file.md#sensors) describes all.',
        '', *kinds_overview(list(sensor_kinds()))]) + '\n'


def settings_page():
    """Return every setting of every filter, as one page."""
    names = available_filters()
    lines = ['# Settings of filters', '',
             'Written from the classes that check them; `ros2 run mb_estimators filters <name>` '
             'prints the same. As parameters of the node they begin with `filter.`.', '',
             *filters_overview(names)]
    for name in names:
        lines += ['', *filter_page(name)]
    return '\n'.join(lines) + '\n'


def with_links_of_site(text, source, page):
    """Return a README with links that hold on the site; what is not on it stays as its name."""
    def replaced(found):
        image, name, target, anchor = found.groups()
        if '://' in target:
            return found.group()
        path = posixpath.normpath(str(source.parent / target))
        place = READMES.get(path) or READMES.get(f'{path}/README.md')
        if path.startswith('docs/'):
            place = path.removeprefix('docs/')
        if place is None:
            return name
        relative = posixpath.relpath(place, str(PurePosixPath(page).parent))
        return f'{image}[{name}]({relative}{anchor or ""})'
    return _LINK.sub(replaced, text)
