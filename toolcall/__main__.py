"""`python -m toolcall`: the `toolcall` command of this very interpreter."""

from __future__ import annotations

from ._cli import main

if __name__ == "__main__":
    main()
