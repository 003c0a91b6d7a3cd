"""The entry point of `groundling` and `python -m groundling`."""

import signal
import sys


def main() -> int:
    """Run the command line; Ctrl-C ends it in one line, also during imports and on the way out."""
    try:
        from groundling.cli import main as command

        status = command()
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130
    return status


if __name__ == "__main__":
    sys.exit(main())
