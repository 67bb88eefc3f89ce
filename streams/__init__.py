"""Events in, readings and verdicts out: the streaming side of Boutwatch."""
