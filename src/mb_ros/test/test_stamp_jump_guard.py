"""Stamps that jump: no single lie is believed, and nothing true is lost for it."""

from hypothesis import given, settings, strategies as st

from mb_ros.stamp_jump_guard import CONFIRMED, FAR, JUMP, CommonTime, StampJumpGuard

STEP = 5_000_000                    # between two right stamps [ns]
START = 100_000_000_000
ANY = st.integers(-2**63, 2**63)
LIES = st.one_of(
    ANY, st.integers(0, 2**31).map(lambda second: second * 1_000_000_000),
    st.integers(-FAR, 2 * FAR).map(lambda by: START + by))
TIMES = settings(deadline=None, max_examples=300)


def guards(behind):
    return StampJumpGuard(STEP, FAR, behind)


def pass_all(guard, stamps):
    """Return (what is believed, lies, how often time began anew) of (stamp, item)."""
    believed, lies, anew = [], [], 0
    for stamp, item in stamps:
        passage = guard.take(stamp, item)
        believed += passage.believed
        lies += passage.lies
        anew += passage.anew
    return believed, lies, anew


@TIMES
@given(lies=st.dictionaries(st.integers(1, 57), LIES, max_size=15), behind=st.sampled_from(
    [0, FAR]))
def test_lies_between_right_stamps_change_nothing(lies, behind):
    """Two right ones at least lie between two lies; a lie that is late or near passes, as it may.

    Where nothing may be late, such a lie costs the right ones that are older than it.
    """
    right = [START + k * STEP for k in range(60)]
    mixed = []
    for k, stamp in enumerate(right):
        mixed.append((stamp, 'right'))
        if k % 3 == 1 and k in lies:
            mixed.append((lies[k], 'lie'))
    believed, _, anew = pass_all(guards(behind), mixed)
    assert not anew
    passed = [stamp for stamp, item in believed if item == 'lie']
    assert all(START - behind <= stamp <= right[-1] + 3 * JUMP * STEP for stamp in passed)
    lost = set(right) - {stamp for stamp, item in believed if item == 'right'}
    assert not lost or not behind
    for stamp in lost:
        assert any(0 < lie - stamp <= 3 * JUMP * STEP for lie in passed)


@TIMES
@given(stamps=st.lists(ANY, max_size=60), far=st.sampled_from([None, 0, FAR]),
       behind=st.sampled_from([None, 0, FAR]))
def test_everything_is_believed_or_left_out_once(stamps, far, behind):
    guard = StampJumpGuard(STEP, far, behind)
    believed, lies, _ = pass_all(guard, [(stamp, k) for k, stamp in enumerate(stamps)])
    decided = [k for _, k in believed + lies]
    assert len(decided) == len(set(decided))
    assert len(stamps) - len(decided) <= CONFIRMED      # some still wait


@TIMES
@given(ahead=st.one_of(st.integers(FAR + STEP * 70, 2**60), st.integers(-2**60, -FAR - STEP * 70)))
def test_time_that_begins_anew_is_believed_with_all_that_came_in_it(ahead):
    stamps = [START + k * STEP for k in range(30)]
    stamps += [START + ahead + k * STEP for k in range(30)]
    believed, lies, anew = pass_all(guards(FAR), [(stamp, None) for stamp in stamps])
    assert ([stamp for stamp, _ in believed], lies, anew) == (stamps, [], 1)


@TIMES
@given(gap=st.integers(1, FAR))
def test_a_gap_is_confirmed_by_the_next_stamp(gap):
    stamps = [START + k * STEP for k in range(5)]
    stamps += [stamps[-1] + gap + k * STEP for k in range(5)]
    believed, lies, _ = pass_all(guards(0), [(stamp, None) for stamp in stamps])
    assert [stamp for stamp, _ in believed] == stamps
    assert not lies


@TIMES
@given(order=st.lists(st.booleans(), min_size=200, max_size=200), back=st.sampled_from(
    [STEP, FAR // 2, START // 2]))
def test_streams_begin_anew_together_and_lose_nothing(order, back):
    """In whatever order they come; one of them never notices that stamps went back a little."""
    times = [[START + k * STEP for k in range(40)]
             + [START - back + k * STEP for k in range(40)] for _ in range(2)]
    common = CommonTime(guards(0), guards(START))
    left, found, anews = [list(one) for one in times], [], 0
    for first in [*order, *[True, False] * 100]:
        stream = 0 if first else 1
        if left[stream]:
            stamp = left[stream].pop(0)
            believed, lies, anew = common.take(stream, stamp, None)
            assert not lies
            anews += anew
            found += believed
    for stream in range(2):
        assert [stamp for owner, stamp, _ in found if owner == stream] == times[stream]
    assert anews == 1
