"""What a tool call means: tool names, shell parsing, test-output reading. Pure.

`ask` reads what a call sets out to do, `answer` how it ended, `join` puts both together; `whole` does all three for a call
that comes in one event. `learn` and `revise` correct what only the rest of the run shows.
"""

from __future__ import annotations

from streams.actions.one_event import Whole, whole
from streams.actions.question import ask
from streams.actions.reply import answer
from streams.actions.together import join
from streams.actions.workspace import Knowledge, Learner, learn, revise

__all__ = ["Knowledge", "Learner", "Whole", "answer", "ask", "join", "learn", "revise", "whole"]
