"""The entry point of `groundling` and `python -m groundling`."""

import gc
import signal
import sys


def main() -> int:
    """Run the command line; Ctrl-C ends it in one line, also during imports and on the way out.

    Modules stay until the process ends. To search them for garbage takes a fifth of the time of a short
    command: the collector skips them here, and everything on the way out."""
    try:
        gc.disable()
        from groundling.cli import main as command

        gc.freeze()
        gc.enable()
        status = command()
        gc.freeze()
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130
    return status


if __name__ == "__main__":
    sys.exit(main())
