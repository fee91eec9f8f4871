"""Plain words, in names and prose: processes publish, report and detect; nouns, not pronouns.

mb_model and mb_contact are not rewritten yet.
"""

from pathlib import Path
import re

import pytest

ROOT = Path(__file__).resolve().parents[1]
CLEAN = ('ros_tools', 'src/mb_ros', 'src/mb_bringup', 'src/mb_evaluation', 'src/mb_simulation',
         'src/mb_sensors', 'src/mb_estimators', 'src/mb_interfaces', 'docs', 'test', 'README.md',
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


def texts():
    """Yield (path, text) of all files that are to be clean."""
    for name in CLEAN:
        place = ROOT / name
        for file in sorted(place.rglob('*')) if place.is_dir() else [place]:
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


def test_words_are_plain():
    wrong = {path: found for path, text in texts() if (found := complaints(text))}
    assert wrong == {}


def test_files_are_found():
    found = {path.partition('/')[0] for path, _ in texts()}
    assert found == {name.partition('/')[0] for name in CLEAN}


@pytest.mark.parametrize(('text', 'found'), [
    ('def tell_all(): ...', ['tell']), ('class HeardRun:', ['heard']), ('UNHEARD = 1', ['unheard']),
    ('# the rate, and those\n    # of others', ['those of']),
    ('It is that of the node.', ['that of']),
    ('so that of three one is left', []), ('file.tell()', []), ('    return told(_run)', ['told']),
    ('told = 1', ['told']), ('detection, hearty, total', [])])
def test_what_is_not_plain_is_found(text, found):
    assert complaints(text) == found
