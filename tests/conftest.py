"""Puts the helpers of this folder (`graphs`, ...) on the path of every test below it."""

import signal

# A shell that starts the tests in the background has them ignore Ctrl-C, which is inherited by
# every process that a test starts; tests of interruptions need it as a terminal gives it.
signal.signal(signal.SIGINT, signal.default_int_handler)

from spbfs import _cpu  # noqa: E402

# What threads share is tested on any machine, however few its cores.
_cpu.pretend_cores(8)
