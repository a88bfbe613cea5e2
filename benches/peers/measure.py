"""Runs one command and prints, as JSON, how long it took and how much memory it had at most.

Usage: measure.py LIMIT LOG COMMAND..., LIMIT in seconds. The clock runs from before the process is made until after it
has ended, so that everything is in it: starting, reading, working, writing. Peak memory and processor time are what the
kernel counted for it. A process begins as a copy of its parent, whose size counts as a peak: so this program
imports little, stays near 10 MiB, and nothing below that can be told.
"""

import json
import os
import signal
import sys
import time


def main():
    limit, log, command = float(sys.argv[1]), sys.argv[2], sys.argv[3:]
    output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    start = time.perf_counter()
    child = os.posix_spawnp(
        command[0],
        command,
        os.environ,
        file_actions=[(os.POSIX_SPAWN_DUP2, output, 1), (os.POSIX_SPAWN_DUP2, output, 2)],
    )
    late = []

    def stop(*_):
        late.append(True)
        os.kill(child, signal.SIGKILL)

    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, limit)
    _, status, used = os.wait4(child, 0)
    seconds = time.perf_counter() - start
    signal.setitimer(signal.ITIMER_REAL, 0)
    print(
        json.dumps(
            {
                "seconds": seconds,
                "processor_seconds": used.ru_utime + used.ru_stime,
                "peak_mib": used.ru_maxrss / 1024,
                "code": os.waitstatus_to_exitcode(status),
                "late": bool(late),
            }
        )
    )


main()
