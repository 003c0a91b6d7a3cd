"""`python -m groundling`."""

import sys

from .cli import main

sys.exit(main())
