"""The garbage collector's pace in a process that holds many runs.

Events, facts and the state of runs hold no cycles: reference counts free them. The collector would walk all that is alive
again and again and find nothing, which costs some 5 % of the time.
"""

from __future__ import annotations

import gc
from typing import Final

NEW_OBJECTS: Final = 100_000
"""Objects made and still alive before the collector looks at the youngest; Python's own figure is 700."""


def spare_the_collector() -> None:
    """To be called once all is imported: what is there now is never looked at, the rest seldom."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS, 20, 20)
