"""From an exception to the one line that a user reads, and the exit code."""

from __future__ import annotations

from typing import Final

BELOW_BAR: Final = 1
BAD_INPUT: Final = 2
FAULT: Final = 70
"""An error in Boutwatch itself: neither a result nor the user's doing."""
INTERRUPTED: Final = 130
PIPE_CLOSED: Final = 141


class Failure(Exception):  # noqa: N818 - it may be a result below a bar, which is no error
    """The command ends here: with a message that says what is wrong and what to do, and an exit code.

    An empty message: everything has been said already.
    """

    def __init__(self, message: str = "", code: int = BAD_INPUT) -> None:
        super().__init__(message)
        self.code = code


def message_and_code(error: BaseException) -> tuple[str, int]:
    """One line for the user, and the exit code that goes with it."""
    if isinstance(error, Failure):
        return str(error), error.code
    if hasattr(error, "format_message"):
        return _usage(error), BAD_INPUT
    if isinstance(error, OSError):
        return one_line(_system(error)), BAD_INPUT
    if isinstance(error, ValueError):
        return one_line(str(error)), BAD_INPUT
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return f"an error in boutwatch itself: {one_line(what)} (BOUTWATCH_DEBUG=1 shows where; please report it)", FAULT


def one_line(text: str) -> str:
    """The text with its line breaks folded, so that a message stays one line."""
    return " ".join(text.split())


def _usage(error: BaseException) -> str:
    """A mistake on the command line; the parser's exceptions differ between versions, their shape does not."""
    context = getattr(error, "ctx", None)
    if type(error).__name__ == "NoArgsIsHelpError":  # the help has been shown in place of a message
        return ""
    text = one_line(str(getattr(error, "format_message", str)())).rstrip(".")
    text = text[:1].lower() + text[1:]
    return f"{text}; try '{context.command_path} --help'" if context is not None else text


def _system(error: OSError) -> str:
    named = f"{error.filename}: " if error.filename else ""
    return f"{named}{error.strerror or error or type(error).__name__}"
