"""What reports of runs have in common."""

FORMAT = 1      # raised when a key changes its meaning


def report_of(run, kind, settings, created):
    """Return the figures that every HeardRun has.

    kind: of the report; settings: dict of what was asked for, copied to the top level; created:
    time of the run as text.
    """
    lost, counters = run.lost(), run.counters
    return {
        'format': FORMAT, 'kind': kind, 'created': created, **settings,
        'duration': run.duration, 'simulated': run.progress,
        'real_time_factor': run.real_time_factor(),
        'unheard': run.unheard, 'mixed_with_another_run': run.mixed,
        'time': run.time.figures(), 'stamped_outside': run.strangers,
        'messages_lost': sum(lost.values()), 'lost': lost,
        'readings': {'due': run.readings_due, 'used': counters.used,
                     'rejected': counters.rejected, 'late': counters.late,
                     'missing': counters.missing},
        'complaints': [one.since(run.start) for one in run.complaints],
    }
