"""One whole process of start-up: `cold.py MODE PACKAGE`. Prints its peak memory in KiB.

Nothing is imported that the mode does not need: what a mode imports is what it measures.
"""

import sys


def functions(package):
    found = []
    for module in __import__(package).MODULES:
        found += __import__(f"{package}.{module}", fromlist=["FUNCTIONS"]).FUNCTIONS
    return found


def modules(package):
    return [
        __import__(f"{package}.{module}", fromlist=["FUNCTIONS"])
        for module in __import__(package).MODULES
    ]


def bare(_package):
    """Python alone."""


def toolcall_import(_package):
    """Import the project and mark one function."""
    from toolcall import tool

    @tool
    def answer(question: str) -> str:
        return question


def msgspec_import(_package):
    import msgspec  # noqa: F401


def code(package):
    """Import the functions, nothing else."""
    return modules(package)


def emitted(package):
    """Import the functions and emit all of them."""
    from toolcall import emit

    kept = emit(modules(package), "openai")
    expect(len(kept), package)
    return kept


def one(package):
    """Import one module, emit one of its tools and call it."""
    from toolcall import emit, run

    name = __import__(package).MODULES[-1]
    module = __import__(f"{package}.{name}", fromlist=["FUNCTIONS"])
    function = module.FUNCTIONS[-1]
    expect_same(emit(function)[0]["function"]["name"], function.__name__)
    return run(module, function.__name__, {})


def loaded(package):
    """Emit from the sidecars alone."""
    from toolcall import emit, load

    kept = emit(load(package), "openai")
    expect(len(kept), package)
    return kept


def msgspec_schemas(package):
    """The fastest peer: a Struct and its JSON Schema for each function."""
    import inspect
    import typing

    import msgspec

    kept = []
    for function in functions(package):
        hints = typing.get_type_hints(function)
        fields = []
        for name, parameter in inspect.signature(function).parameters.items():
            if parameter.default is parameter.empty:
                fields.append((name, hints[name]))
            else:
                fields.append((name, hints[name], parameter.default))
        struct = msgspec.defstruct(function.__name__, fields, forbid_unknown_fields=True)
        kept.append(
            {
                "type": "function",
                "function": {
                    "name": function.__name__,
                    "description": function.__doc__,
                    "parameters": msgspec.json.schema(struct),
                },
            }
        )
    expect(len(kept), package)
    return kept


def expect_same(name, wanted):
    if name != wanted:
        raise SystemExit(f"{name} instead of {wanted}")


def expect(count, package):
    wanted = int("".join(filter(str.isdigit, package)))
    if count != wanted:
        raise SystemExit(f"{count} tools of {package}")


MODES = (bare, toolcall_import, msgspec_import, code, emitted, one, loaded, msgspec_schemas)

if __name__ == "__main__":
    sys.path[0] = ""  # the packages lie where this was started, not beside this file
    mode, package = sys.argv[1:3]
    kept = {function.__name__: function for function in MODES}[mode](package)
    with open("/proc/self/status") as status:
        print(next(line.split()[1] for line in status if line.startswith("VmHWM")))
