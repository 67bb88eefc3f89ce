"""What a tool call means: tool names, shell parsing, test-output reading. Pure.

`ask` reads what a call sets out to do, `answer` how it ended, `join` puts both together; `looked` and `went_well` do so where
the output cannot matter; `learn` and `revise` correct what only the rest of the run shows.
"""

from __future__ import annotations

from streams.actions.question import ask
from streams.actions.reply import answer
from streams.actions.together import join, looked, went_well
from streams.actions.workspace import Knowledge, Learner, learn, revise

__all__ = ["Knowledge", "Learner", "answer", "ask", "join", "learn", "looked", "revise", "went_well"]
