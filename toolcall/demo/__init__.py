"""Example tools for `toolcall demo`; read as files, never imported from here."""
