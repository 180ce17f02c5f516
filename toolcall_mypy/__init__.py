"""The mypy plugin: `plugins = ["toolcall_mypy"]`.

mypy imports this module, asks it for `plugin` and remembers `__version__` in its
cache, so that an upgrade of the plugin re-checks every module.
"""

from toolcall import __version__ as __version__
from toolcall_mypy.plugin import plugin as plugin
