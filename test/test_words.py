"""Plain words, in names and prose: processes publish, report and detect; nouns, not pronouns.

docs/explanation/vocabulary.md has the words for positions, points, offsets and the like.
"""

import ast
from pathlib import Path
import re

import pytest

ROOT = Path(__file__).resolve().parents[1]
SRC = ROOT / 'src'
PACKAGES = tuple(sorted(folder.name for folder in SRC.iterdir() if folder.is_dir()))
CLEAN = ('ros_tools', *(f'src/{package}' for package in PACKAGES), 'docs', 'test', 'README.md',
         'CONTRIBUTING.md', 'CHANGELOG.md')
SUFFIXES = {'.py', '.md', '.yaml', '.xml', '.msg', '.srv', '.css', '.js', '.toml', '.txt'}
# People as metaphors for processes, and people as pronouns
METAPHORS = {'told', 'tell', 'tells', 'telling', 'hear', 'hears', 'heard', 'hearing', 'unheard',
             'speak', 'speaks', 'spoke', 'spoken', 'speaking', 'talk', 'talks', 'talked', 'talking',
             'whoever', 'whomever', 'nobody', 'everybody', 'somebody'}
# Pronouns in place of the noun: 'the parameters of the model', or 'the model's', not 'those of it'
CHAINS = re.compile(r'\b(those (?:of|that|who|which|whose)|(?<!so )that of)\b', re.IGNORECASE)
# Names that are defined elsewhere: methods of files
OTHERS = re.compile(r'\.tell\(\)|def tell\(self\)|nobody@')
# Words of names that leave open what is meant, see docs/explanation/vocabulary.md.
VAGUE = {'place', 'places', 'way', 'ways', 'found'}
IN_PLACE = re.compile(r'in_?place', re.IGNORECASE)
# Names that users know: settings of the isolation and of machines as built.
KNOWN = {'places', 'place'}
SETTINGS = {'mb_contact/mb_contact/isolation/hypothesis.py',
            'mb_simulation/mb_simulation/as_built.py'}
# Such names in code, and keys of files
CODE = re.compile(r"(?:'|\.)places?\b|\bplaces?'|\bplaces?: int|\bplaces?: float")
# In prose something is in place, in place of something else, or takes place.
PLACE = re.compile(r'\b(?<!in )(?<!takes )(?<!take )(?<!took )places?\b', re.IGNORECASE)


def texts(names=CLEAN):
    """Yield (path, text) of all files that are to be clean."""
    for name in names:
        path = ROOT / name
        for file in sorted(path.rglob('*')) if path.is_dir() else [path]:
            if file.suffix in SUFFIXES and file != Path(__file__) and file.is_file() and not any(
                    part.startswith('.') or part.endswith('.egg-info')
                    for part in file.relative_to(ROOT).parts):
                yield str(file.relative_to(ROOT)), file.read_text(encoding='utf-8')


def words_of(text):
    """Return the words of a text, in small letters; names are split into words."""
    return {word.lower() for word in re.findall(r'[A-Z]?[a-z]+|[A-Z]+(?![a-z])', text)}


def prose_of(text):
    """Return a text in one line, without marks of comments."""
    return re.sub(r'\s*\n\s*(?:# ?)?', ' ', text)


def complaints(text):
    """Return the words and chains of a text that are not plain."""
    ours = OTHERS.sub(' ', text)
    return sorted(words_of(ours) & METAPHORS) + CHAINS.findall(prose_of(ours))


def defined_names(tree):
    """Yield the names that a source defines: functions, classes, parameters, variables, fields."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr
        elif isinstance(node, ast.alias) and node.asname:
            yield node.asname


def vague_names(tree):
    """Return the names that a source defines with one of the VAGUE words."""
    return sorted({name for name in defined_names(tree)
                   if words_of(IN_PLACE.sub('', name)) & VAGUE})


def vague_names_of(package):
    """Return {path: names} of a package without its tests, files and folders among them."""
    wrong = {}
    for file in sorted((SRC / package / package).rglob('*.py')):
        path = file.relative_to(SRC)
        names = [part for part in path.with_suffix('').parts if words_of(part) & VAGUE]
        names += vague_names(ast.parse(file.read_text(encoding='utf-8')))
        if str(path) in SETTINGS:
            names = [name for name in names if name not in KNOWN]
        if names:
            wrong[str(path)] = names
    return wrong


def places_of(package):
    """Return {path: places} that the prose of a package's modules, without its tests, names."""
    return {path: places for path, text in texts([f'src/{package}/{package}'])
            if path.endswith('.py') and (places := PLACE.findall(CODE.sub('', prose_of(text))))}


def test_words_are_plain():
    wrong = {path: words for path, text in texts() if (words := complaints(text))}
    assert wrong == {}


def test_files_are_found():
    roots = {path.partition('/')[0] for path, _ in texts()}
    assert roots == {name.partition('/')[0] for name in CLEAN}


@pytest.mark.parametrize('package', PACKAGES)
@pytest.mark.parametrize('rule', [vague_names_of, places_of])
def test_one_word_has_one_meaning(rule, package):
    assert rule(package) == {}


@pytest.mark.parametrize(('text', 'words'), [
    ('def tell_all(): ...', ['tell']), ('class HeardRun:', ['heard']), ('UNHEARD = 1', ['unheard']),
    ('# the rate, and those\n    # of others', ['those of']),
    ('It is that of the node.', ['that of']),
    ('so that of three one is left', []), ('file.tell()', []), ('    return told(_run)', ['told']),
    ('told = 1', ['told']), ('detection, hearty, total', [])])
def test_what_is_not_plain_is_found(text, words):
    assert complaints(text) == words


@pytest.mark.parametrize(('source', 'names'), [
    ('def place_of(body): ...', ['place_of']), ('for way in body.ways: ...', ['way']),
    ('class OnTheWay: ...', ['OnTheWay']), ('self._found = 1', ['_found']),
    ('lambda places: 0', ['places']), ('import x as found', ['found']),
    ('def solve_in_place(a): ...', []), ('inplace = replaced = away = always = 1', []),
    ('raise FileNotFoundError(found)', [])])
def test_vague_names_are_found(source, names):
    assert vague_names(ast.parse(source)) == names


@pytest.mark.parametrize(('text', 'places'), [
    ('the place of a point', ['place']), ('in place of the other', []), ('takes place', []),
    ('solved in place', []), ('replaced', []), ('at both places', ['places'])])
def test_places_are_found(text, places):
    assert PLACE.findall(text) == places
