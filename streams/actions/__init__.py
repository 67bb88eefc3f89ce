"""What a tool call means: tool names, shell parsing, test-output reading. Pure."""
