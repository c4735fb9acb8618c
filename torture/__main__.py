"""python -m torture [KIND ...] [--minutes 5] [--seed N] [--count N]"""

import sys

from torture.runner import main

sys.exit(main())
