"""`python -m engines`: see `engines.cli`."""

import sys

from engines.cli import main

sys.exit(main())
