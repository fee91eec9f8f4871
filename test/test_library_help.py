"""What `help` and the pages of the library say: attributes by topic, readable signatures."""

from dataclasses import fields
import inspect
import pydoc
import re

import pytest

from mb_estimators import Estimate, Filter, make_filter
from mb_model import Mechanism, Run, load_mechanism, simulate

TOPIC = re.compile(r'^- [^:]+: ', re.MULTILINE)
FOUR_BAR = load_mechanism('four_bar')


def public(names):
    return {name for name in names if not name.startswith('_')}


def properties(kind):
    return {name for name in vars(kind) if not callable(getattr(kind, name, None))}


GROUPED = {
    Mechanism: public({*vars(FOUR_BAR), *properties(Mechanism)}),
    Run: public({*(one.name for one in fields(Run)), *properties(Run)}),
    Estimate: public({*Estimate._fields, *properties(Estimate)}),
    Filter: {'Settings', 'settings', 'estimate'}}


@pytest.mark.parametrize('kind', GROUPED, ids=lambda kind: kind.__name__)
def test_every_attribute_is_under_a_topic_and_there_are_no_others(kind):
    _, topics = inspect.getdoc(kind).split('Attributes, by topic:\n\n')
    topics = topics.split('\n\n')[0]
    assert len(TOPIC.findall(topics)) >= 2
    assert set(re.findall(r'`(\w+)`', topics)) == GROUPED[kind]


def test_what_they_are_of_has_them():
    """A mechanism, a run and an estimate have the attributes, not their classes alone."""
    run = simulate(FOUR_BAR, 0.01, 0.005)
    estimate = make_filter('error_ekf', FOUR_BAR, ['crank_encoder'], 0.005).estimate
    for one in (FOUR_BAR, run, estimate):
        without_oil = {'s', 'sd'} if one is run else set()
        for name in GROUPED[type(one)] - without_oil:
            getattr(one, name)


@pytest.mark.parametrize('kind', GROUPED, ids=lambda kind: kind.__name__)
def test_signatures_in_help_are_readable(kind):
    said = pydoc.render_doc(kind, renderer=pydoc.plaintext)
    assert len(said) > 1000
    assert not re.search('_NestedSequence|_SupportsArray|numba|Dispatcher', said)
