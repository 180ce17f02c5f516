"""mypy's checked types, read into the tool IR: what a type *is*.

The only reader of mypy types. What mypy throws away (docstrings, `Annotated`
metadata, alias documentation, literal defaults) is the source's to tell, and
nothing here opens a source file.
"""
