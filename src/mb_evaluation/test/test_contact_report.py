"""The report of a run with contacts, on a run whose contacts are known."""

from dataclasses import replace
import json

import numpy as np
from presented import judged, presented
import pytest

from mb_evaluation.report_kinds.contact_episodes import episodes
from mb_evaluation.report_kinds.contact_figures import contact_figures
from mb_evaluation.report_kinds.contact_report import (
    NO_SAFETY_FUNCTION,
    REPORT,
    captions,
    contact_rows,
    limit_rows,
    objections,
)
from mb_evaluation.reports.report import Report
from mb_evaluation.run_log.contact_log import ContactLayout, ContactLog
from mb_evaluation.run_log.run_log import Counters
from mb_evaluation.run_log.samples import Samples
from mb_model import load_mechanism
from mb_simulation.prototypes.obstacle import Contact

START, RATE = 1_000_000_000, 200.0
ROBOT = load_mechanism('three_rrr')
LAYOUT = ContactLayout(ROBOT.independent, ('m', 'm', 'rad'), ROBOT.drives, ROBOT.n)
ASKED = {'mechanism': 'three_rrr', 'estimator': 'platform_ekf', 'prototype': 'mujoco',
         'method': 'both', 'torques': 'commanded', 'trajectory': 'circle',
         'collisions': 'two', 'seed': 3}
CONTACTS = {1.0: ('platform',), 2.0: ('inner2', 'outer2')}      # from [s] on, for 50 ms
THRESHOLD = [7.5, 7.5, 0.5]
LAG = {'direct': 0.005, 'momentum_observer': 0.02}              # [s]


def filled_run(reported=(1.0, 2.0), duration=3.0, named=None, false_alarm=None, size=20.0,
               chance=0.9, lasting=0.05, behind=0.0):
    """Return a run on a circle.

    reported: contacts that are detected; named: by which names; size: of the true forces [N];
    chance: probability of the likeliest body; lasting: time of each contact [s]; behind: time of
    messages after the end [s].
    """
    rng = np.random.default_rng(1)
    run = ContactLog(START, duration, RATE, LAYOUT)
    q = ROBOT.q0
    for k in range(round((duration + behind) * RATE) + 1):
        t = k / RATE
        stamp = START + round(1e9 * t)
        z = np.array([0.05 * np.cos(3.0 * t), 0.05 * np.sin(3.0 * t), 0.0])
        zd, zdd = np.array([-3.0 * z[1], 3.0 * z[0], 0.0]), -9.0 * z + [0.0, 0.0, np.sin(t)]
        run.published[stamp] = t
        run.torques.add(stamp, np.ones(3))
        run.estimate.add(stamp, z, zd, zdd + 0.01 * rng.normal(size=3))
        begin = next((at for at in CONTACTS if at - 1e-9 <= t < at + lasting), None)
        if begin is not None:
            q = ROBOT.assemble(z, near=q)
            point = z[:2] + np.array([0.12, 0.0])
            run.contacts[stamp] = tuple(
                Contact(body, point, np.array([x, 0.0]), 'pylon')
                for body, x in zip(CONTACTS[begin], (-size, 0.9 * size), strict=False))
        since = begin if begin in reported else None
        run.truth.add(stamp, z, zd, zdd, q)
        for method, lag in LAG.items():
            force = np.array([-30.0, 0.0, 0.0]) if since and t - since >= lag - 1e-9 else (
                np.zeros(3) + rng.normal(size=3) * 0.02)
            run.add_force(stamp, method, force, THRESHOLD)
        detected = bool(since and t - since >= LAG['direct'] - 1e-9) or (
            false_alarm is not None and abs(t - false_alarm) < 0.01)
        name = named or (', '.join(CONTACTS[since]) if since else 'platform')
        run.add_judgement(stamp, detected, 'direct' if detected else '', t + 0.002,
                          [(name, chance, z[:2] + np.array([0.12, 0.003])),
                           ('outer3', 0.95 - chance, None)] if detected else [])
        run.counters = Counters(stamp, used=k)
    return run


def report_of(run):
    run.episodes = episodes(run, ROBOT)
    return contact_figures(run, ASKED, {'named': 0.75, 'ambiguous': 0.5},
                           '2026-01-01T00:00:00+0000')


def test_times_names_and_places_are_those_of_the_run():
    run = filled_run()
    report = report_of(run)
    assert [one['bodies'] for one in report['contacts']] == [['platform'], ['inner2', 'outer2']]
    for begin, one in zip(CONTACTS, report['contacts'], strict=True):
        assert one['begin'] == pytest.approx(begin)
        assert one['end'] == pytest.approx(begin + 0.045)
        assert one['force'] == 20.0
        assert one['methods']['direct']['due'] == 0.0
        assert one['methods']['direct']['after'] == pytest.approx(5.0)
        assert one['methods']['momentum_observer']['after'] == pytest.approx(20.0)
        assert (one['after'], one['method']) == (pytest.approx(5.0), 'direct')
        assert (one['naming'], one['level']) == ('right', 'above')
    assert report['contacts'][0]['point_error'] < 0.02
    assert report['false_alarms'] == []
    assert objections(report) == []
    error = report['acceleration']['E.x']
    assert error['rmse'] == pytest.approx(0.01, rel=0.2)
    assert error['snr'] == pytest.approx(20 * np.log10(0.45 / np.sqrt(2) / 0.01), abs=2.0)
    assert report['timing']['added_latency']['largest'] == pytest.approx(0.002)


def test_what_is_detected_again_is_counted_once():
    """While it runs, and in the report."""
    run = filled_run()
    assert run.contacts_detected == len(run.detected) == 2
    stamp = run.detected[-1].last + 50_000_000
    for later, detected in ((0, True), (10_000_000, False)):
        run.add_judgement(stamp + later, detected, 'direct', 9.0)
    assert len(run.detected) == 3
    assert run.contacts_detected == 2
    assert 'contacts detected 2' in captions(report_of(run))[0]
    far = run.detected[-1].last + 400_000_000
    run.add_judgement(far, True, 'direct', 9.5)
    assert run.contacts_detected == 3


def test_the_verdict_says_how_soon_contacts_were_detected():
    words = Report(REPORT, report_of(filled_run())).verdict
    assert words.startswith('PASSED: ')
    assert words.endswith('; detected 5 ms after the first force, 5 ms at most; judgements came '
                          '2.0 ms after the truth, 2.0 ms in 99 %')
    failed = Report(REPORT, report_of(filled_run(reported=(1.0,)))).verdict
    assert failed.startswith('FAILED: the contact at 2.00 s')
    assert '; detected 5 ms after the first force' in failed


@pytest.mark.parametrize(('duration', 'kinds'), [
    (1.9, ['hit']), (1.02, ['unclear']), (0.9, [])])
def test_what_is_after_the_last_judged_state_of_an_interrupted_run_does_not_count(duration, kinds):
    """Neither a contact nor its detection, of which the bag may have the one alone."""
    for reported in ((), (2.0,), (1.0, 2.0)):
        report = report_of(filled_run(reported, duration, behind=0.6))
        assert [one['kind'] for one in report['contacts']] == kinds
        assert [one['detected'] for one in report['contacts']] == [1.0 in reported] * len(kinds)
        assert report['false_alarms'] == []
        assert report['contact_free']['direct']['largest'][0] < 1.0
        assert report['acceleration']['E.x']['rmse'] == pytest.approx(0.01, rel=0.2)


def test_a_contact_that_begins_with_the_last_judged_state_may_be_missed():
    """It has not lasted as long then as a force that must show."""
    contact, = report_of(filled_run((), duration=1.0, behind=0.6))['contacts']
    assert (contact['level'], contact['detected']) == ('about', False)


def test_what_is_let_go_after_the_end_was_not_slow():
    run = filled_run()
    stamp, now = max(run.published) + 1_000_000, max(run.published.values()) + 0.01
    run.published[stamp] = now
    run.add_judgement(stamp, False, '', now + 0.6)
    assert report_of(run)['timing']['added_latency']['largest'] == pytest.approx(0.002)


def test_forces_are_projected_as_the_platform_feels_them():
    """A force on the platform acts on its pose as it is, with a moment about its centre."""
    first = episodes(filled_run(), ROBOT)[0]
    np.testing.assert_allclose(first.projected, np.tile([-20.0, 0.0, 0.0], (len(first.stamps), 1)),
                               atol=1e-9)


@pytest.mark.parametrize(('changes', 'complaint'), [
    ({'reported': (1.0,)}, 'the contact at 2.00 s (inner2 and outer2, 20 N) was not detected'),
    ({'false_alarm': 0.5}, 'a contact was detected at 0.50 s'),
    ({'named': 'outer1'}, '2 of 2 contacts were put on a wrong body'),
    ({'chance': 0.5}, 'of 2 of 2 contacts the body is ambiguous')])
def test_what_went_wrong_is_reported(changes, complaint):
    found = objections(report_of(filled_run(**changes)))
    assert len(found) == 1
    assert complaint in found[0]


@pytest.mark.parametrize(('size', 'level', 'passes'), [
    (0.2, 'below', True), (7.0, 'below', True), (9.0, 'about', True), (12.0, 'above', False)])
def test_grazes_are_listed_and_not_judged(size, level, passes):
    """Thresholds are 7.5 N; nothing is reported here."""
    report = report_of(filled_run(reported=(), size=size, duration=1.5))
    assert report['contacts'][0]['level'] == level
    assert (objections(report) == []) == passes
    reported = contact_rows(report)[0][5]
    assert reported == {'below': 'no: below the threshold', 'about': 'no: about the threshold',
                        'above': 'NO'}[level]


def test_a_contact_while_the_detector_is_silent_is_missed():
    run = filled_run(reported=(), duration=1.5)
    for method, samples in run.forces.items():
        run.forces[method] = early = Samples(3, 3)
        stamps = samples.stamps[samples.stamps < START + 900_000_000]
        for stamp, row in zip(stamps.tolist(), zip(*samples.columns(stamps), strict=True),
                              strict=True):
            early.add(stamp, *row)
    assert 'was not detected' in objections(report_of(run))[0]


def test_a_force_of_an_instant_need_not_be_detected():
    """The detector's force lags: what is over by then is about the threshold."""
    report = report_of(filled_run(reported=(), size=40.0, lasting=0.005, duration=1.5))
    assert report['contacts'][0]['level'] == 'about'
    assert objections(report) == []


def test_grazes_with_a_pause_between_them_are_no_lasting_force():
    """What bounces is one contact; each of its touches is as short as one alone."""
    run = filled_run(reported=(), size=40.0, lasting=0.06, duration=1.5)
    stamps = sorted(stamp for stamp, touched in run.contacts.items() if touched)
    run.contacts = {stamps[0]: run.contacts[stamps[0]], stamps[-1]: run.contacts[stamps[-1]]}
    found, = episodes(run, ROBOT)
    assert (found.begin, found.end) == (stamps[0], stamps[-1])
    np.testing.assert_array_equal(found.force, [40.0, *[0.0] * (len(stamps) - 2), 40.0])
    report = report_of(run)
    assert report['contacts'][0]['level'] == 'about'
    assert objections(report) == []


def test_a_hit_that_the_run_does_not_see_the_end_of_may_be_held():
    kinds = [report_of(filled_run(reported=(1.0,), duration=duration))['contacts'][0]['kind']
             for duration in (1.02, 1.5)]
    assert kinds == ['unclear', 'hit']


@pytest.mark.parametrize(('changes', 'kinds'), [
    ({'size': 285.0}, [('hit', 'transient'), ('clamped', 'quasi-static')]),
    ({'lasting': 0.6}, [('held', 'quasi-static'), ('clamped', 'quasi-static')])])
def test_what_is_clamped_or_held_is_compared_with_quasi_static_limits(changes, kinds):
    report = report_of(filled_run(**changes))
    assert [(one['kind'], one['limit']) for one in report['contacts']] == kinds
    rows = {row[0]: row[1:] for row in limit_rows(report)}
    within = [[force <= limit for force, (_, kind) in
               zip([one['force'] for one in report['contacts']], kinds, strict=True)
               if kind == which] for which, limit in (('quasi-static', 220.0),
                                                      ('transient', 440.0))]
    assert rows['thighs and knees'][1::2] == tuple(
        f'{sum(part)} of {len(part)}' if part else 'none there' for part in within)


def test_bodies_touched_without_clamping_are_unclear_and_take_the_lower_limit():
    run = filled_run()
    run.contacts = {stamp: tuple(replace(one, force=np.array([-20.0, 0.0])) for one in touched)
                    for stamp, touched in run.contacts.items()}
    assert [(one['kind'], one['limit']) for one in report_of(run)['contacts']] == [
        ('hit', 'transient'), ('unclear', 'quasi-static')]


def test_ambiguous_contacts_are_named_with_all_that_they_may_be():
    report = report_of(filled_run(chance=0.5))
    assert report['contacts'][0]['naming'] == 'ambiguous'
    assert contact_rows(report)[0][-2] == 'platform 50% or outer3 45% (ambiguous)'


def test_a_contact_that_begins_while_the_last_one_is_detected_is_detected():
    run = filled_run(reported=(1.0,))
    run.detected[0].last = START + 2_100_000_000
    assert objections(report_of(run)) == []


def test_runs_with_the_same_truth_have_the_same_digest():
    digests = [report_of(filled_run(reported=times))['truth_digest'] for times in ((1.0,), (2.0,))]
    other = filled_run()
    stamp = START + 500_000_000
    z, zd, zdd, q = other.truth.columns(np.array([stamp]))
    other.truth.add(stamp, np.nextafter(z, 1.0), zd, zdd, q)
    assert digests[0] == digests[1] != report_of(other)['truth_digest']


def test_files_can_be_read_and_shown(tmp_path):
    run = filled_run()
    shown, page = presented(Report(REPORT, report_of(run), run), tmp_path)
    assert (tmp_path / 'report.png').stat().st_size > 20_000
    assert '| 1.00 | platform | hit | 20 | transient | yes | 5 | 20 | platform 90% |' in page
    assert '| 2.00 | inner2, outer2 | clamped | 20 | quasi-static | yes | 5 | 20 |' in page
    assert '| chest | 140 | 1 of 1 | 280 | 1 of 1 |' in page
    assert '| face | 65 | 1 of 1 | - | 0 of 1 |' in page
    assert 'Consult the standard' in page
    assert 'ISO/TS 15066:2016, Table A.2, which is part of ISO 10218-2:2025 now' in page
    assert 'not checked against a copy of the standard' in page
    assert 'inner2, outer2' in shown
    ended = judged(tmp_path)
    assert (ended.returncode, ended.stderr) == (0, '')
    assert json.loads((tmp_path / 'report.json').read_text())['kind'] == 'contact'


def test_a_browser_shows_contacts_forces_and_complaints(tmp_path, opened):
    run = filled_run()
    run.complaints.add(START + 500_000_000, 'sensor_driver', 'WARN', 'no <readings>')
    report = report_of(run)
    presented(Report(REPORT, report, run), tmp_path)
    zoom = 'document.querySelector("tr[data-from]").click()'
    page = opened(tmp_path / 'report.html', zoom)
    assert page.console == []
    assert page.requests == []
    dofs, methods = 3, 2
    assert page.traces == 2 * (1 + methods) + dofs * (1 + methods) + dofs * 2
    for row in (*contact_rows(report), *limit_rows(report)):
        assert list(row) in page.rows
    assert ['0.50', '', 'sensor_driver', 'WARN', 'no <readings>'] in page.rows


@pytest.mark.parametrize('run', [filled_run(), filled_run(reported=()), filled_run(duration=0.5)])
def test_every_report_says_that_it_is_no_safety_function(tmp_path, run):
    """Whether it passed, failed, or nothing was touched."""
    assert 'a safety function' in NO_SAFETY_FUNCTION
    shown, page = presented(Report(REPORT, report_of(run), run), tmp_path)
    for text in shown, page, (tmp_path / 'report.html').read_text():
        assert ' '.join(text.split()).count(NO_SAFETY_FUNCTION) == 1


def test_a_run_without_any_message_still_makes_a_report(tmp_path):
    report = report_of(ContactLog(START, 1.0, RATE, LAYOUT))
    assert 'no message came from the contact detector' in objections(report)
    shown, page = presented(Report(REPORT, report), tmp_path)
    for text in shown, page:
        assert 'no message came from the contact detector' in ' '.join(text.split())
    assert sorted(file.name for file in tmp_path.iterdir()) == ['report.json', 'report.md']
