"""Typed Python functions as tools for language models."""

__version__ = "0.1.0"
