"""`groundling`, and `python -m groundling`."""

import sys


def main() -> int:
    """It may be stopped while it is still being loaded."""
    try:
        from groundling.cli import main as command
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130
    return command()


if __name__ == "__main__":
    sys.exit(main())
