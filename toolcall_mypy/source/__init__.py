"""The second witness: what the checker throws away, read from source text.

Docstrings, `Annotated[...]` metadata, the documentation of aliases, literal defaults.
Everything here works on `ast` nodes; nothing here imports mypy or the user's code.

    files         the files of a run, each read once
    index         the declarations of one file (declarations: the records; walk: the pass
                  that finds them; branches: which `if` the checker takes; bodies: order)
    resolve       a dotted name → the statement that defines it, across modules
    defaults      an expression → its value, where that can be known without running it
    annotations   an annotation → metadata, a tree shaped like the type (aliases, unions,
                  items: its parts; statements: facts as they gather; vocabulary: what
                  other libraries' metadata means)
    docstrings    a docstring → description and entries (marks: where sections begin;
                  layout, sections, fields, entries: laid out for docstring-parser;
                  prose: text as it is read; choices: values that a text enumerates)
"""
