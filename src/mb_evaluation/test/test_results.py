"""The folder of results: `latest` is a link to the newest run, or nothing is left."""

import os

import pytest

from mb_evaluation.results import new_folder


@pytest.mark.parametrize('what', ['folder', 'file'])
def test_what_is_no_link_is_refused_before_anything_is_made(tmp_path, what):
    latest = tmp_path / 'latest'
    latest.mkdir() if what == 'folder' else latest.write_text('mine')
    with pytest.raises(ValueError, match='latest: is no link to the newest run'):
        new_folder(tmp_path)
    assert os.listdir(tmp_path) == ['latest']


@pytest.mark.parametrize('before', ['nothing', 'a link', 'a link to nothing', 'a link elsewhere'])
def test_a_link_is_replaced_and_not_followed(tmp_path, before):
    results, elsewhere = tmp_path / 'results', tmp_path / 'elsewhere'
    elsewhere.mkdir()
    if before == 'a link':
        new_folder(results)
    elif before != 'nothing':
        results.mkdir()
        (results / 'latest').symlink_to(elsewhere if before == 'a link elsewhere' else 'nowhere')
    made = new_folder(results)
    assert (results / 'latest').resolve() == made
    assert not os.listdir(elsewhere)
    assert not list(results.glob('.*'))
