"""The entry point of `groundling` and `python -m groundling`."""

import sys


def main() -> int:
    """Run the command line; Ctrl-C is also handled while modules are imported."""
    try:
        from groundling.cli import main as command
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130
    return command()


if __name__ == "__main__":
    sys.exit(main())
