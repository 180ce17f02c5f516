"""Tools of a source as the tools of somebody else's framework.

One module for each framework, each with the same two functions and nothing else public:

    tools(source, *, context=None, lenient=None, timeout=None) -> list of its tools
    tool(source, name, ...) -> one of them

The framework keeps its loop and its messages; definitions come from the checker and
arguments are decoded by this library, so a model gets one text with all that is wrong.
Without a `context` of their own, injected parameters are given the framework's: `deps` of
pydantic-ai, the run's context of openai-agents.
"""
