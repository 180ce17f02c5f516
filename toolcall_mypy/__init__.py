"""The mypy plugin that derives tools: `plugins = ["toolcall_mypy"]` in mypy's configuration."""
