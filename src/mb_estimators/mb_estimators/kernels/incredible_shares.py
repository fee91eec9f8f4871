"""Shares of incredible readings, which fade, and what they say: the sums of a LostWatch."""

from math import inf

from mb_model.jit import entry

# Columns of limits (k, 5) of sensors: a reading's most weight, how many bad ones in a row are as
# good as a share beyond `LOST`, the shares beyond which a sensor is lost and found, and after how
# long without a reading [ns] it does not count.
MOST, ENOUGH, LOST, FOUND, SILENCE = range(5)


@entry
def note_readings(limits, memory, shortest, nothing, above, shares, row, since, seen, bad, there,
                  stamp, was_lost):
    """Note the readings of a stamp [ns]; return whether the estimate is lost by them.

    limits (k, 5); memory [ns]: of the shares; shortest [ns]: of readings in a row that count;
    nothing: of a share; above (k): the share next to `LOST`; shares (k), row, since (2, k), seen
    (k): of a LostState; bad (2, k): whether readings were left out, and whether they were that or
    incredible, on return which sensors have had all left out for `memory`, and which have too many
    bad ones; there (k): whether there were any.
    """
    count = far = 0
    for i in range(limits.shape[0]):
        part = 0.0
        if there[i]:
            elapsed = inf if seen[i] < 0 else (stamp - seen[i]) / memory
            part = min(elapsed, limits[i, MOST])
        for side in range(2):
            if bad[side, i] and row[side, i] == 0:
                since[side, i] = stamp
            if there[i]:
                row[side, i] = row[side, i] + 1 if bad[side, i] else 0
        share = shares[i] + part * ((1.0 if bad[1, i] else 0.0) - shares[i])
        if share < nothing:
            share = 0.0
        if row[1, i] >= limits[i, ENOUGH] and stamp - since[1, i] >= shortest:
            share = max(share, above[i])
        shares[i] = share
        if there[i]:
            seen[i] = stamp
        present = seen[i] >= 0 and stamp - seen[i] <= limits[i, SILENCE]
        most = limits[i, FOUND] if was_lost else limits[i, LOST]
        bad[0, i] = (present and row[0, i] >= limits[i, ENOUGH]
                     and stamp - since[0, i] >= memory)
        bad[1, i] = present and shares[i] > most
        count += present
        far += bad[1, i]
    return 2 * far >= max(1, count)
