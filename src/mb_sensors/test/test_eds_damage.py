"""Damaged EDS files: the right device, or one line that names the section; nothing else."""

import re

from encoder_eds import FILE, load
from hypothesis import HealthCheck, given, settings, strategies as st
import pytest

from mb_sensors import SensorError

SOUND = {**FILE,
         '6501': {'ParameterName': 'counts', 'ObjectType': '0x7', 'DataType': '0x0007',
                  'AccessType': 'ro', 'DefaultValue': '8192'},
         '6502': {'ParameterName': 'turns', 'ObjectType': '0x7', 'DataType': '0x0006',
                  'AccessType': 'const', 'DefaultValue': '0x1000'}}
NAMED = re.compile(r'encoder\.can\.eds: .*: \[[^\]]+\]( \w+)?: .+|.* has no object, expected .*')
PLACES = [(section, key) for section, entries in SOUND.items() for key in entries]
ODD = st.sampled_from([
    '', '0', '3', '003', '8', '9', '0x', '-', '-1', '1.5', '1e3', '0b1', '1_0', 'x', 'ä', '=',
    '99999999999999999999', '$NODEID', '$NODEID+', '0x180+$NODEID+1', '$NODEID-1', '0x80000187',
    '0x60040010', '0x60040120', '0x20000008', '254', '7;8', '[1800sub1]'])
place = st.sampled_from(PLACES)
BREAKS = st.sampled_from(['\n', '\r\n', '\r', '\n\n'])
ENCODINGS = st.sampled_from(['utf-8', 'utf-8-sig', 'latin-1', 'utf-16'])


def described(file, node_id):
    """Return all that readings depend on."""
    dictionary, content = load(file, node_id)
    return (content.cob_id, content.entries,
            *(dictionary[index].data_type for index in (0x6004, 0x6501, 0x6502)))


def right(node_id):
    return 0x180 + node_id, ((0x6004, 0, 32),), 7, 7, 6


def lines_of(content):
    return [line for section, entries in content.items() for line in (
        f'[{section}]', *(f'{key}={value}' for key, value in entries.items()))]


@st.composite
def number(draw, text):
    """Another way to write a number."""
    text = text.replace('$NODEID+', '')
    value = int(text, 0)
    return draw(st.sampled_from([
        str(value), f'00{value}', hex(value), f'0x{value:08X}', f'0X{value:x}', f' {value}  ']))


@st.composite
def harmless(draw):
    """The lines of a sound file, written in another way."""
    lines = []
    for section, entries in draw(st.permutations(list(SOUND.items()))):
        case = draw(st.sampled_from([str, str.upper, str.lower]))
        blank = draw(st.sampled_from(['', ' ', '\t']))
        lines += [draw(st.sampled_from(['', '; [6004]', '# DefaultValue=1', '; ä', 'no entry'])),
                  f'{blank}[{blank}{case(section)}{blank}]{blank}']
        for key, value in draw(st.permutations(list(entries.items()))):
            if key in ('ObjectType', 'DataType') or (key == 'DefaultValue'):
                relative = value.startswith('$')
                value = draw(number(value))
                if relative:
                    value = draw(st.sampled_from([f'$NODEID+{value}', f'{value} + $nodeid']))
            comment = draw(st.sampled_from(['', ' ; 8', ';']))
            lines.append(f'{blank}{case(key)}{blank}={blank}{value}{comment}')
        if draw(st.booleans()):
            lines += [f'[{section.lower()}]', 'ParameterName=again']
    return lines


@st.composite
def harmed(draw):
    """The lines of a file with some of: odd, missing, doubled and contradicting entries."""
    content = {section: dict(entries) for section, entries in SOUND.items()}
    lines = []
    for section, key in draw(st.lists(place, max_size=3)):
        how = draw(st.sampled_from(['odd', 'key', 'section', 'again', 'header', 'indented']))
        entries = content.get(section, {})
        if how == 'odd':
            entries[key] = draw(ODD)
        elif how == 'key':
            entries.pop(key, None)
        elif how == 'section':
            content.pop(section, None)
        elif how == 'again':
            lines += [f'[{section}]', f'{key}={draw(ODD)}']
        elif how == 'header' and section in content:
            content[f'{section}] ['] = content.pop(section)
        elif key in entries:
            entries[f'   {key}'] = entries.pop(key)
    return lines_of(content) + lines


@pytest.fixture(scope='module')
def file(tmp_path_factory):
    return tmp_path_factory.mktemp('eds') / 'angle.eds'


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(1, 127), harmless(), BREAKS, ENCODINGS)
def test_a_file_may_be_written_in_any_way(file, node_id, lines, line_break, encoding):
    file.write_bytes(line_break.join(lines).encode(encoding))
    assert described(file, node_id) == right(node_id)


@settings(deadline=None, max_examples=300, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(1, 127), harmed(), BREAKS, ENCODINGS, st.floats(0.0, 1.5))
def test_damage_gives_the_right_device_or_a_line_that_names_the_section(
        file, node_id, lines, line_break, encoding, rest):
    data = line_break.join(lines).encode(encoding)
    file.write_bytes(data[:round(rest * len(data))])
    refusal = ''
    try:
        found = described(file, node_id)
    except SensorError as error:
        refusal = str(error)
    assert NAMED.fullmatch(refusal) if refusal else found == right(node_id)


@pytest.mark.parametrize(('section', 'key', 'value', 'words'), [
    ('1800sub1', 'DefaultValue', '0x199', r'COB-ID 199h of PDO 1 belongs to node 25; expected'),
    ('1800sub1', 'DefaultValue', '0x219', r'COB-ID 219h of PDO 1 belongs to node 25; expected'),
    ('1800sub1', 'DefaultValue', '0x18', r'COB-ID 18h cannot be of a PDO; expected 187h'),
    ('1800sub1', 'DefaultValue', '0x80000187', r'PDO 1 is switched off \(bit 31 of 80000187h\)'),
    ('1800sub1', 'DefaultValue', '', 'is missing, expected the COB-ID of PDO 1'),
    ('1A00sub0', 'DefaultValue', '2', 'is missing, expected an object in the PDO'),
    ('1A00sub1', 'DefaultValue', '0x60040010', '16 bits of 6004h:0, expected 32 by its DataType'),
    ('1A00sub1', 'DefaultValue', '0x21010008', '8 bits of 2101h:0, expected an object that the'),
    ('6501', 'DataType', '8', '0x0008 must be as in its profile, 0x0007'),
    ('6502', 'DataType', '3', '0x0003 must be as in its profile, 0x0006'),
    ('6004', 'DataType', '8', '0x0008 must be as in its profile, 0x0007')])
def test_what_would_change_readings_is_refused(file, section, key, value, words):
    lines = lines_of({**SOUND, section: {**SOUND[section], key: value}})
    file.write_text('\n'.join(lines))
    name = '1A00sub2' if words.startswith('is missing, expected an object') else f'{section}'
    with pytest.raises(SensorError, match=rf'\[{name}\]( {key})?: {words}'):
        load(file)


def test_values_that_contradict_each_other_are_refused(file):
    file.write_text('\n'.join([*lines_of(SOUND), '[1800SUB01]', 'defaultvalue=0x188']))
    with pytest.raises(SensorError, match=r"\[1800sub1\] DefaultValue: is '\$NODEID\+0x180' and "
                       "'0x188', expected one of them"):
        load(file)
