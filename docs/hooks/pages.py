"""Pages of the site that are not in its folder: READMEs, what packages export; links to them.

MkDocs calls on_files and on_page_markdown; see
https://www.mkdocs.org/user-guide/configuration/#hooks.
"""

from pathlib import Path, PurePosixPath
import posixpath
import re
import sys

from mkdocs.structure.files import File

sys.path.insert(0, str(Path(__file__).parent))      # hooks are loaded one by one

from api_pages import api_pages

ROOT = Path(__file__).resolve().parents[2]
READMES = {'README.md': 'index.md', 'ros_tools/README.md': 'reference/packages/ros_tools.md'} | {
    f'src/{folder.parent.name}/README.md': f'reference/packages/{folder.parent.name}.md'
    for folder in sorted(ROOT.glob('src/*/README.md'))}
_LINK = re.compile(r'(!?)\[([^\]]*)\]\(([^)#\s]+)(#[^)]*)?\)')


def on_files(files, config):
    """Add the READMEs and what packages export to the pages of the folder."""
    for source, page in READMES.items():
        text = (ROOT / source).read_text(encoding='utf-8')
        files.append(File.generated(config, page, content=with_links_of_site(
            text, PurePosixPath(source), page)))
    for name, text in api_pages().items():
        files.append(File.generated(config, f'reference/api/{name}.md', content=text))
    return files


def on_page_markdown(markdown, page, **_):
    """Let links of a page of the folder hold on the site as they do in the repository."""
    if page.file.generated_by:
        return markdown
    return with_links_of_site(markdown, PurePosixPath('docs', page.file.src_uri),
                              page.file.src_uri)


def with_links_of_site(text, source, page):
    """Return a page with links that hold on the site; what is not on it stays as its name."""
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
