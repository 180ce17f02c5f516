"""The mypy plugin that derives tools: name `toolcall_mypy` in the `plugins` of mypy's configuration."""
