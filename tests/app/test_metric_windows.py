"""When what moves with respondents is told: by batches, at the ends of windows, all at once."""

import random
from itertools import pairwise

import pytest

from surveys.observation import windows
from surveys.observation.counting import WINDOW_SECONDS
from surveys.observation.windows import LEAST_BATCH, Sample, State, first_state, next_state

WINDOWS = 24


def told(arrivals, batch):
    """What is told after each window of a story: (window of the snapshot, responses)."""
    state, series = None, []
    for window in range(1, WINDOWS + 1):
        number = sum(moment < window * WINDOW_SECONDS for moment in arrivals)
        sample = Sample(number, batch, {"candor_responses": number})
        state = next_state(state, window, sample) if state else first_state(window, sample)
        series.append(state.snapshot and (state.taken, state.snapshot["candor_responses"]))
        assert windows.from_json(windows.to_json(state)) == state
    return series


def snapshots(series):
    return sorted({each for each in series if each})


def story(chance):
    number = chance.randrange(20, 200)
    return sorted(chance.uniform(0, WINDOWS * WINDOW_SECONDS) for _ in range(number))


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.slow
def test_the_moment_of_a_response_within_its_window_changes_nothing(seed):
    chance = random.Random(seed)
    arrivals, batch = story(chance), chance.choice([1, 20, 30])
    for index, moment in enumerate(arrivals):
        begin = moment // WINDOW_SECONDS * WINDOW_SECONDS
        moved = [*arrivals]
        moved[index] = chance.uniform(begin, begin + WINDOW_SECONDS)
        assert told(moved, batch) == told(arrivals, batch)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.slow
def test_a_move_to_another_window_is_told_only_where_a_snapshot_lies_between(seed):
    """So between two snapshots it cannot be told when one of the batch came."""
    chance = random.Random(seed)
    arrivals, batch = story(chance), chance.choice([1, 20, 30])
    before, untold = told(arrivals, batch), 0
    for index, moment in enumerate(arrivals):
        other = chance.uniform(0, WINDOWS * WINDOW_SECONDS)
        moved = told([*arrivals[:index], other, *arrivals[index + 1 :]], batch)
        first, last = sorted((moment, other))
        between = [
            taken
            for taken, _ in snapshots(before) + snapshots(moved)
            if first < taken * WINDOW_SECONDS <= last
        ]
        # The beginning of the process is counted from, though it tells nothing.
        if not between and first >= WINDOW_SECONDS:
            assert moved == before
            untold += 1
    assert untold


@pytest.mark.parametrize("seed", range(20))
def test_two_snapshots_differ_by_a_batch_and_by_a_window(seed):
    chance = random.Random(seed)
    batch = chance.choice([1, 20, 30])
    for (taken, number), (later, more) in pairwise(snapshots(told(story(chance), batch))):
        assert more - number >= max(batch, LEAST_BATCH)
        assert later > taken


def test_an_earlier_process_may_have_told_of_a_moment_ago():
    state = first_state(1, Sample(1000, 20, {"candor_responses": 1000}))
    assert state.snapshot is None
    state = next_state(state, 2, Sample(1019, 20, {"candor_responses": 1019}))
    assert state.snapshot is None
    assert next_state(state, 3, Sample(1020, 20, {"candor_responses": 1020})).snapshot


def test_the_largest_batch_since_the_last_snapshot_counts():
    state = first_state(1, Sample(0, 50))
    assert next_state(state, 2, Sample(40, 20)).snapshot is None
    assert next_state(next_state(state, 2, Sample(40, 20)), 3, Sample(50, 20)).snapshot is not None


def test_a_deleted_survey_lets_nobody_be_told_early_and_stops_nothing():
    state = first_state(1, Sample(1000, 20))
    state = next_state(state, 2, Sample(10, 20))
    assert state.snapshot is None
    assert next_state(state, 3, Sample(29, 20)).snapshot is None
    assert next_state(state, 3, Sample(30, 20)).snapshot is not None


def test_a_window_is_looked_at_once():
    state = next_state(first_state(1, Sample(0, 20)), 2, Sample(20, 20, {"candor_responses": 20}))
    again = next_state(state, 2, Sample(90, 20, {"candor_responses": 90}))
    assert again == state


def test_only_what_is_due_for_whole_windows_and_does_not_move_is_late():
    state = first_state(1, Sample(40, 20, due={"7": 0}))
    assert state.seconds_late == 0
    state = next_state(state, 2, Sample(80, 20, due={"7": 0, "8": 5}))
    assert state.seconds_late == WINDOW_SECONDS
    moved = next_state(state, 3, Sample(80, 20, due={"7": 20, "8": 5}))
    assert moved.seconds_late == WINDOW_SECONDS
    assert next_state(moved, 4, Sample(80, 20)).seconds_late == 0
    assert State(9, 0).seconds_late == 0
