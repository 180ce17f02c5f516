"""The second witness: what the checker throws away, read from source text.

Docstrings, `Annotated[...]` metadata, the documentation of aliases, literal defaults.
Everything here works on `ast` nodes; nothing here imports mypy or the user's code.

    index        the declarations of one file, and all files of a run
    resolve      a dotted name → the statement that defines it, across modules
    defaults     an expression → its value, where that can be known without running it
    annotations  an annotation → a tree of metadata shaped like the type
    docstrings   a docstring → description and entries
"""
