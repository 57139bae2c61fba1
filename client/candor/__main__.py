"""`python -m candor` is the command `candor`."""

import sys

from candor.command import main

sys.exit(main())
