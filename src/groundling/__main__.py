"""The entry point of `groundling` and `python -m groundling`."""

import gc
import os
import signal
import sys

INTERRUPTED = 130


def main() -> int:
    """Run the command line; Ctrl-C ends it in one line, also during imports and on the way out."""
    try:
        status = _run_command()
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        status = INTERRUPTED
    if status == INTERRUPTED:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)  # a plain exit waits for threads of llama.cpp or torch that still compute
    return status


def _run_command() -> int:
    """Run the command line without garbage collection where it only costs time.

    Modules stay until the process ends. To search them for garbage takes a fifth of the time of a short
    command: the collector skips them here, and everything on the way out."""
    gc.disable()
    from groundling.cli import main as command

    gc.freeze()
    gc.enable()
    status = command()
    gc.freeze()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    return status


if __name__ == "__main__":
    sys.exit(main())
