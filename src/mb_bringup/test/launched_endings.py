"""How every launched run ends: by itself, and cleanly.  To be mixed into cases of unittest."""

import launch_testing.asserts


class EndsByItself:
    """While it runs: the monitor ends it."""

    monitor = ''        # name of the process whose end is the run's
    patience = 200.0    # for that [s]

    def test_it_ends_by_itself(self, proc_info):
        """The monitor ends the run."""
        proc_info.assertWaitForShutdown(process=self.monitor, timeout=self.patience)


class EndsCleanly:
    """After everything has ended."""

    def test_every_process_ended_cleanly(self, proc_info):
        """No process crashed or had to be killed."""
        launch_testing.asserts.assertExitCodes(proc_info)
