"""The facts of a run, folded from its events: changes, checks, contradictions, changes of approach, incidents."""

from __future__ import annotations

from metrics.run.fold import fold, frame
from metrics.run.state import NEVER, RunFacts, decode, encode
from metrics.run.timeline import EAGER, Timeline

__all__ = ["EAGER", "NEVER", "RunFacts", "Timeline", "decode", "encode", "fold", "frame"]
