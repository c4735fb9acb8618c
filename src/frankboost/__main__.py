"""`python -m frankboost`."""

import sys

from frankboost.cli.main import main

sys.exit(main())
