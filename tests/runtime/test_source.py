"""Which tools a source stands for, and which function each of them calls."""

from __future__ import annotations

import gc
import json
import os
import statistics
import subprocess
import sys
import weakref
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.runtime.builders import Packages, entry
from toolcall import Toolset, _tool, caller, emit, load, run, tool_names
from toolcall._sidecar import dumps
from toolcall._source import resolve
from toolcall.errors import (
    DuplicateTool,
    Misuse,
    SchemaNotBuilt,
    SidecarError,
    StaleSchema,
    ToolcallError,
    ToolDefinitionError,
)

DESK = """\
from toolcall import tool

@tool
def first(n: int) -> str:
    return f"first {n}"

class Desk:
    def __init__(self, name="d"):
        self.name = name

    @tool
    def book(self, n: int) -> str:
        return f"{self.name} books {n}"

    @tool
    @staticmethod
    def above(n: int) -> str:
        return f"above {n}"

    @staticmethod
    @tool
    def below(n: int) -> str:
        return f"below {n}"

    @tool(name="see")
    @classmethod
    def look(cls, n: int) -> str:
        return f"{cls.__name__} sees {n}"

class Night(Desk):
    def book(self, n: int) -> str:
        return "closed"

    @tool
    def ring(self, n: int) -> str:
        return f"{self.name} rings {n}"

def make():
    class Local:
        pass

    @tool
    def inner(n: int) -> str:
        return f"inner {n}"

    class Shop:
        @tool
        def sell(self, n: int) -> str:
            return f"sell {n}"

    return inner, Shop

@tool
def last(n: int) -> str:
    return f"last {n}"
"""


@pytest.fixture
def desk(packages: Packages) -> Any:
    return packages.tools(
        "desk",
        DESK,
        entry("first", line=3),
        entry("Desk.book", line=11, binding="instance"),
        entry("Desk.above", line=15, binding="static"),
        entry("Desk.below", line=20, binding="static"),
        entry("Desk.look", "see", line=25, binding="class"),
        entry("Night.ring", line=34, binding="instance"),
        entry("make.<locals>.inner", line=42),
        entry("make.<locals>.Shop.sell", line=47, binding="instance"),
        entry("last", line=53),
    )


def called(source: Any) -> dict[str, Any]:
    """What each tool of a source answers to 1."""
    return {name: tool.fn(1) for name, tool in resolve(source).tools.items()}


class TestModules:
    def test_module_level_tools_in_order(self, desk: Any) -> None:
        """Not the methods, not the functions inside functions, whatever has been called."""
        desk.make()
        assert called(desk) == {"first": "first 1", "last": "last 1"}

    def test_kept(self, desk: Any) -> None:
        """A module is resolved once, until something more is marked."""
        kept = resolve(desk)
        assert resolve(desk) is kept
        assert kept.tools["first"].fn is desk.first

    def test_not_kept_while_it_is_imported(self, packages: Packages) -> None:
        """A module that asks for its own tools half way gets those so far."""
        text = """\
            import sys
            from toolcall import tool, tool_names, use
            use(__name__)

            def f(n: int) -> int: ...
            early = tool_names(sys.modules[__name__])
            def g(n: int) -> int: ...
            """
        module = packages.tools("early", text, entry("f"), entry("g"))
        assert (module.early, tool_names(module)) == (["f"], ["f", "g"])

    def test_no_tools(self, packages: Packages) -> None:
        """A module without tools has none, and needs no sidecar for it."""
        packages.source("empty", "x = 1")
        assert emit(packages.load("empty")) == []

    def test_first_of_a_name_wins(self, packages: Packages) -> None:
        """Two functions under one tool name: the first is the tool."""
        text = """\
            from toolcall import tool
            @tool(name="x")
            def f(n: int) -> int: return 1
            @tool(name="x")
            def g(n: int) -> int: return 2
            """
        module = packages.tools("twice", text, entry("f", "x"), entry("g", "x"))
        assert called(module) == {"x": 1}

    def test_last_definition_of_a_function_wins(self, packages: Packages) -> None:
        """One function defined twice: what the module holds is the tool, with its own entry."""
        text = """\
            from toolcall import tool
            @tool
            def f(n: int) -> int: return 1
            @tool
            def f(n: str) -> int: return 2
            """
        old, new = entry("f", line=2), entry("f", line=4, doc="new")
        module = packages.tools("again", text, old, new)
        assert called(module) == {"f": 2}
        assert resolve(module).tools["f"].tool["doc"] == "new"

    def test_entries_of_deleted_functions_are_ignored(self, packages: Packages) -> None:
        """A sidecar may know more than the module has."""
        text = "from toolcall import tool\n@tool\ndef f(n: int) -> int: return 1\n"
        module = packages.tools("gone", text, entry("f", line=2), entry("g", line=9))
        assert tool_names(module) == ["f"]


class TestMethods:
    def test_instances(self, desk: Any) -> None:
        """All methods, bound; inherited ones first; an override without @tool is no tool."""
        assert called(desk.Desk("x")) == {
            "book": "x books 1",
            "above": "above 1",
            "below": "below 1",
            "see": "Desk sees 1",
        }
        assert called(desk.Night("y")) == {
            "above": "above 1",
            "below": "below 1",
            "see": "Night sees 1",
            "ring": "y rings 1",
        }

    def test_classes(self, desk: Any) -> None:
        """Static and class methods are served; an instance method is misuse, when it is used."""
        assert called(desk.Night) == {"above": "above 1", "below": "below 1", "see": "Night sees 1"}
        with pytest.raises(Misuse, match=r"'book' is a method of Desk and needs an instance"):
            resolve(desk.Desk).find("book")
        assert resolve(desk.Desk).find("nothing") is None

    def test_methods_alone(self, desk: Any) -> None:
        """A bound method, a static and a class method are sources; a plain method is not."""
        assert called(desk.Desk("x").book) == {"book": "x books 1"}
        assert called(desk.Desk.above) == {"above": "above 1"}
        assert called(desk.Night.look) == {"see": "Night sees 1"}
        with pytest.raises(Misuse, match="use the instance, or its bound method"):
            resolve(desk.Desk.book)

    def test_instances_are_not_kept(self, desk: Any) -> None:
        """Resolving an instance does not keep it alive; what is worked out is shared."""
        instance = desk.Desk()
        gone = weakref.ref(instance)
        one, two = (resolve(instance).tools["book"] for _ in range(2))
        assert one.of is two.of is not one
        del instance, one, two
        gc.collect()
        assert gone() is None

    def test_local_classes(self, desk: Any) -> None:
        """A class made inside a function is a source, and is not kept."""
        _, shop = desk.make()
        assert called(shop()) == {"sell": "sell 1"}
        resolve(shop)
        gone = weakref.ref(shop)
        del shop, _
        gc.collect()
        assert gone() is None

    def test_instances_that_are_iterable(self, packages: Packages) -> None:
        """An object with tool methods is a source of these, even if it is a list as well."""
        text = """\
            from toolcall import tool
            class Bag(list):
                @tool
                def put(self, n: int) -> int: return n
            """
        put = entry("Bag.put", line=3, binding="instance")
        module = packages.tools("bag", text, put)
        assert called(module.Bag([module])) == {"put": 1}

    def test_marked_by_the_object_itself(self, packages: Packages) -> None:
        """`tool(self.find)` in a constructor keeps no object alive and is no tool of the module."""
        text = """\
            from toolcall import Toolset, tool
            class Agent:
                def __init__(self, word):
                    self.word = word
                    self.tools = Toolset([tool(self.find), tool(name="where")(self.find)])
                def find(self, n: int) -> str: return f"{self.word} {n}"
            class Plain:
                def __init__(self, word):
                    self.word = word
                    self.tools = Toolset([tool(self.find)])
                def find(self, n: int) -> str: return f"{self.word} {n}"
            """
        module = packages.tools(
            "agents",
            text,
            entry("Agent.find", "find"),
            entry("Agent.find", "where"),
            entry("Plain.find", "find"),
        )
        plain = [module.Plain(word) for word in "ab"]
        assert [called(one.tools)["find"] for one in plain] == ["a 1", "b 1"]
        assert called(plain[0]) == {"find": "a 1"}
        assert tool_names(module) == []
        assert called(module.Agent("c").tools) == {"find": "c 1", "where": "c 1"}
        marks = [len(found) for found in _tool.by_identity.values()]
        gone = weakref.ref(plain.pop())
        module.Plain("d")
        gc.collect()
        assert gone() is None
        assert [len(found) for found in _tool.by_identity.values()] == marks


class TestFunctions:
    def test_alone(self, desk: Any) -> None:
        """A marked function is a source of one tool, a nested one too."""
        assert called(desk.first) == {"first": "first 1"}
        inner, _ = desk.make()
        assert called(inner) == {"inner": "inner 1"}
        assert set(resolve(inner).tools["inner"].locals) == {"Local"}

    def test_not_marked(self, desk: Any) -> None:
        """An unmarked function is no source, and the error says what is missing."""
        with pytest.raises(Misuse, match=r"make is not a tool: it has no @tool"):
            resolve(desk.make)

    def test_foreign_functions(self, packages: Packages) -> None:
        """`tool(f)` makes a function from elsewhere a tool of the calling module."""
        text = """\
            import functools, math, random, statistics
            from toolcall import tool

            class Greet:
                def __init__(self, word): self.word = word
                def say(self, n: int) -> str: return f"{self.word} {n}"
                def __call__(self, n: int) -> str: return f"{self.word}! {n}"

            def late():
                tool(math.floor)

            def add(a: int, n: int) -> int: return a + n

            tool(statistics.fmean)
            tool(random.randint)
            tool(Greet("hi").say)
            tool(name="shout")(Greet("ho"))
            HTTPGreet2 = type("HTTPGreet2", (Greet,), {"__module__": __name__})
            thing = tool(HTTPGreet2("he"))
            plus = tool(functools.partial(add, 1))
            tool(name="two")(functools.partial(add, 2))
            late()
            """
        module = packages.tools(
            "foreign",
            text,
            entry("statistics:fmean", "fmean"),
            entry("random:randint", "randint"),
            entry("Greet.say", "say"),
            entry("Greet#shout", "shout"),
            entry("HTTPGreet2#http_greet2", "http_greet2"),
            entry("add#add", "add"),
            entry("add#two", "two"),
            entry("math:floor", "floor"),
        )
        tools = resolve(module).tools
        assert list(tools) == [
            "fmean",
            "randint",
            "say",
            "shout",
            "http_greet2",
            "add",
            "two",
            "floor",
        ]
        assert tools["fmean"].fn is statistics.fmean
        assert tools["fmean"].module == "statistics"
        assert tools["fmean"].owner == "foreign"
        answers = {name: tools[name].fn(1) for name in list(tools)[2:]}
        assert answers == {
            "say": "hi 1",
            "shout": "ho! 1",
            "http_greet2": "he! 1",
            "add": 2,
            "two": 3,
            "floor": 1,
        }
        assert called(module.plus) == {"add": 2}
        assert called(module.thing) == {"http_greet2": "he! 1"}

    def test_methods_made_in_c(self, packages: Packages) -> None:
        """They name no module; their class does, which may be a base of the one they came by."""
        text = """\
            import datetime
            from toolcall import tool

            class Day(datetime.date): ...

            tool(Day.fromisoformat)
            tool("a".upper)
            tool(str.lower)
            """
        module = packages.tools(
            "made_in_c",
            text,
            entry("datetime:date.fromisoformat", "fromisoformat"),
            entry("builtins:str.upper", "upper"),
            entry("builtins:str.lower", "lower"),
        )
        assert list(resolve(module).tools) == ["fromisoformat", "upper", "lower"]

    def test_of_several_modules(self, packages: Packages) -> None:
        """A function alone is a source only while one module made it a tool."""
        text = "import statistics\nfrom toolcall import tool\ntool(statistics.harmonic_mean)\n"
        key = "statistics:harmonic_mean"
        one = packages.tools("one", text, entry(key, "harmonic_mean"))
        assert tool_names(statistics.harmonic_mean) == ["harmonic_mean"]
        two = packages.tools("two", text, entry(key, "hm"))
        with pytest.raises(Misuse, match=r"a tool of several modules \(one, two\)"):
            tool_names(statistics.harmonic_mean)
        assert (tool_names(one), tool_names(two)) == (["harmonic_mean"], ["hm"])

    def test_through_decorators(self, packages: Packages) -> None:
        """A wrapper is found by what it wraps, or by the name that holds it."""
        text = """\
            import functools
            from toolcall import tool

            def polite(f):
                @functools.wraps(f)
                def wrapper(n): return f"please {f(n)}"
                return wrapper

            def rude(f):
                def wrapper(n): return f"now {f(n)}"
                return wrapper

            @tool
            @polite
            def ask(n: int) -> str: return f"ask {n}"

            @tool
            @rude
            def tell(n: int) -> str: return f"tell {n}"

            class Desk:
                @tool
                @rude
                def order(self) -> str: return "order"

            @tool
            @functools.lru_cache
            def cached(n: int) -> str: return f"cached {n}"

            @polite
            @tool
            def under(n: int) -> str: return f"under {n}"
            """
        module = packages.tools(
            "wrapped",
            text,
            entry("ask", line=13),
            entry("tell", line=17),
            entry("Desk.order", line=22, binding="instance"),
            entry("cached", line=26),
            entry("under", line=30),
        )
        assert called(module) == {
            "ask": "please ask 1",
            "tell": "now tell 1",
            "cached": "cached 1",
            "under": "under 1",
        }
        assert list(resolve(module.Desk()).tools) == ["order"]
        assert repr(resolve(module).tools["ask"]) == "<BoundTool ask of wrapped.ask>"

    def test_wrapped_in_a_circle(self, packages: Packages) -> None:
        """A `__wrapped__` that never ends does not hang the search."""
        text = "from toolcall import tool\n@tool\ndef f(n: int): ...\nf.__wrapped__ = f\n"
        assert tool_names(packages.tools("circle", text, entry("f", line=2))) == ["f"]


class TestUse:
    TEXT = """\
        from os.path import join
        from toolcall import hidden, tool, use
        use(__name__, types=["P"])

        def b(n: int) -> int: return 1
        def _private(n: int) -> int: ...
        @hidden
        def shy(n: int) -> int: ...
        def bare(n): ...
        @tool(name="a", types=["Q"])
        def marked(n: int) -> int: return 2
        class Thing:
            def method(self, n: int) -> int: ...
        also = b
        async def late(n: int) -> int: ...
        """

    def test_public_annotated_functions(self, packages: Packages) -> None:
        """Not the private, the hidden, the imported, the bare, the methods or other names."""
        module = packages.tools("used", self.TEXT, entry("b"), entry("marked", "a"), entry("late"))
        tools = resolve(module).tools
        assert list(tools) == ["b", "a", "late"]
        assert tools["b"].options == {"types": ("P",)}
        assert tools["a"].options == {"name": "a", "types": ("Q", "P")}
        assert called(module.b) == {"b": 1}
        assert list(resolve(module).tools) == ["b", "a", "late"]
        with pytest.raises(Misuse, match="shy is not a tool"):
            resolve(module.shy)
        with pytest.raises(Misuse, match="join is not a tool"):
            resolve(os.path.join)

    def test_a_function_without_a_schema(self, packages: Packages) -> None:
        """A public annotated function that the sidecar does not know has not been built."""
        module = packages.tools("used", self.TEXT, entry("b"), entry("marked", "a"))
        with pytest.raises(SchemaNotBuilt, match="'late' has no schema"):
            tool_names(module)


class TestSeveral:
    def test_iterables(self, desk: Any) -> None:
        """Lists, tuples and generators of sources, nested, are one source."""
        assert tool_names([desk, desk.Desk]) == ["first", "last", "above", "below", "see"]
        assert tool_names(source for source in (desk, [desk.Desk])) == tool_names([desk, desk.Desk])
        assert tool_names([]) == []

    def test_toolset(self, desk: Any) -> None:
        """A prefix goes before every name; the functions stay what they are."""
        both = Toolset([desk, Toolset([desk.Desk], prefix="d_")], prefix="x_")
        names = ["x_first", "x_last", "x_d_above", "x_d_below", "x_d_see"]
        assert tool_names(both) == names
        assert [tool["function"]["name"] for tool in emit(both)] == names
        assert resolve(both).tools["x_first"].fn is desk.first
        assert tool_names(desk) == ["first", "last"]
        assert resolve(both) is resolve(both)
        assert repr(Toolset([1], prefix="x")) == "Toolset([1], prefix='x')"
        assert Toolset([]).lenient is False

    def test_collisions(self, desk: Any, packages: Packages) -> None:
        """Two tools of one name are an error that names both owners; the same one twice is not."""
        text = "from toolcall import tool\n@tool\ndef last(n: int) -> int: ...\n"
        other = packages.tools("other", text, entry("last", line=2))
        with pytest.raises(DuplicateTool, match=r"'last': desk\.last and other\.last"):
            tool_names([desk, other])
        with pytest.raises(DuplicateTool, match=r"'p_last'"):
            tool_names(Toolset([desk, other], prefix="p_"))
        assert tool_names([desk, Toolset([other], prefix="o_")])[-1] == "o_last"
        assert tool_names([desk, desk.last, desk]) == ["first", "last"]

    def test_broken_tools_of_a_set(self, desk: Any, packages: Packages) -> None:
        """A set has its broken tools under their names there; the others work."""
        packages.source("new", "from toolcall import tool\n@tool\ndef f(n: int) -> int: ...\n")
        both = Toolset([desk, packages.load("new")], prefix="x_")
        assert list(resolve(both).tools) == ["x_first", "x_last"]
        with pytest.raises(SchemaNotBuilt):
            resolve(both).find("x_f")
        packages.build("new", [entry("f", line=2)])
        assert resolve(both).find("x_f") is not None

    def test_different_troubles_at_once(self, packages: Packages) -> None:
        """Everything that is wrong is in one error, once."""
        text = "from toolcall import tool\n@tool\ndef f(n: int) -> int: ...\n"
        packages.source("new", text)
        packages.source("stale", text)
        packages.build("stale", [entry("f", line=2, declarations=[])])
        packages.source("stale", text + "\n")
        sources = [packages.load("new"), packages.load("stale")]
        with pytest.raises(ToolcallError) as caught:
            tool_names(sources)
        assert type(caught.value) is ToolcallError
        assert "tools f, f cannot be used:" in str(caught.value)
        assert "new has no schema" in str(caught.value)
        assert "'f' is stale" in str(caught.value)

    @pytest.mark.parametrize("source", ["desk", sys, int])
    def test_a_toolset_of_no_list(self, source: Any) -> None:
        """A single source where a list belongs is told."""
        with pytest.raises(Misuse, match="a list of sources"):
            Toolset(source)


class TestOthers:
    def test_an_ir_tool(self) -> None:
        """A tool by itself is a source, without a function."""
        definition = {"tool": entry("x", "by_hand"), "types": {}, "options": {"a": 1}}
        tool = resolve(definition).tools["by_hand"]
        assert tool.fn is None
        assert tool.definition() == definition
        assert tool_names([definition]) == ["by_hand"]

    def test_a_malformed_ir_tool(self) -> None:
        """It is looked at before it is believed."""
        with pytest.raises(ToolDefinitionError, match="a definition without types"):
            resolve({"tool": entry("x")})
        returns = {"kind": "ref", "name": "N"}
        with pytest.raises(ToolDefinitionError, match="no type has the name 'N'"):
            resolve({"tool": entry("x", returns=returns), "types": {}})

    def test_built_at_run_time(self) -> None:
        """Whatever gives a definition and something to call is a source."""

        class Built:
            def __toolcall_definition__(self) -> Any:
                return {"tool": entry("x", "built"), "types": {}}

            def __toolcall_call__(self, n: int) -> int:
                return n + 1

        assert called(Built()) == {"built": 2}

    def test_the_name_of_a_script(self) -> None:
        """Written like `use(__name__)`, it is answered with what can be written."""
        with pytest.raises(Misuse, match=r"the module that runs is: sys\.modules\[__name__\]"):
            resolve("__main__")

    @pytest.mark.parametrize("source", [3, None, object(), "desk", b"desk", len, int.__add__])
    def test_no_source(self, source: Any) -> None:
        """Anything else is misuse."""
        with pytest.raises(Misuse):
            resolve(source)

    def test_a_class_without_tools(self) -> None:
        """A class is a source of whatever tool methods it has, also of none."""
        assert tool_names(int) == []


class TestHostileSidecar:
    def test_one_bad_entry(self, packages: Packages) -> None:
        """An entry that is no tool breaks that tool only, when it is used, and names the file."""
        text = "from toolcall import tool\n@tool\ndef f(n: int): ...\n@tool\ndef g(n: int): ...\n"
        packages.source("bad", text)
        path = packages.build("bad", [entry("f", line=2), entry("g", line=4)])
        sidecar = json.loads(path.read_bytes())
        sidecar["tools"][0]["parameters"][0]["type"] = {"kind": "ref", "name": "Nowhere"}
        path.write_bytes(dumps(sidecar))
        module = packages.load("bad")
        for _ in range(2):
            with pytest.raises(SidecarError, match=r"bad\.json is no sidecar.*'Nowhere'"):
                emit(module)
            with pytest.raises(SidecarError, match=r"bad\.json is no sidecar.*'Nowhere'"):
                run(module, "f", {"n": 1})
        assert caller(module, "g")({"n": 1}) is None


class TestLoad:
    @pytest.fixture
    def shop(self, packages: Packages) -> Packages:
        body = "raise SystemExit('imported')\nfrom toolcall import tool\n"
        for name in ("shop", "shop.a", "shop.deep.b", "shop.plain"):
            path = packages.source(name, f"{body}def {name[-1]}(n: int) -> int: ...\n")
            if name == "shop":
                path.unlink()
        for path in packages.root.rglob("__init__.py"):
            path.write_text(body)
        packages.build(
            "shop.a",
            [
                entry("a", line=3),
                entry("C.m", binding="instance"),
                entry("x.<locals>.y"),
                entry("statistics:fmean", "fmean"),
            ],
        )
        packages.build("shop.deep.b", [entry("b", line=3)])
        return packages

    def test_a_package(self, shop: Packages) -> None:
        """Emitted and described without importing anything of it."""
        before = set(sys.modules)
        source = load("shop")
        assert tool_names(source) == ["a", "fmean", "b"]
        assert [tool["function"]["name"] for tool in emit(source)] == ["a", "fmean", "b"]
        assert repr(source) == "load('shop')"
        tool = resolve(source).tools["fmean"]
        assert (tool.fn, tool.owner, tool.module) == (None, "shop.a", "statistics")
        assert not {name for name in set(sys.modules) - before if name.startswith("shop")}

    def test_parts_of_it(self, shop: Packages) -> None:
        """A module or a package below is loaded by its full name."""
        assert tool_names(load("shop.a")) == ["a", "fmean"]
        assert tool_names(load("shop.deep")) == ["b"]
        assert tool_names(Toolset([load("shop.deep")], prefix="d_")) == ["d_b"]

    def test_a_single_module(self, packages: Packages) -> None:
        """A module that is no package."""
        packages.source("single", "raise SystemExit\ndef f(n: int) -> int: ...\n")
        packages.build("single", [entry("f", line=2)])
        assert tool_names(load("single")) == ["f"]

    def test_freshness(self, shop: Packages) -> None:
        """Stale tools are as stale as ever, deleted ones gone, orphans no tools."""
        text = "def a(n: str) -> int: ...\n"
        shop.path("shop.a").write_text(text)
        shop.path("shop.deep.b").unlink()
        with pytest.raises(StaleSchema, match="tool 'a' is stale"):
            tool_names(load("shop"))
        shop.path("shop.a").write_text("x = 1\n")
        assert tool_names(load("shop")) == ["fmean"]

    def test_in_a_zip(self, shop: Packages, monkeypatch: pytest.MonkeyPatch) -> None:
        """The members of a zip are looked at the same way."""
        archive = shop.root.parent / "shop.zip"
        with zipfile.ZipFile(archive, "w") as file:
            for path in sorted(shop.root.rglob("*.*")):
                file.write(path, path.relative_to(shop.root))
        monkeypatch.setattr(sys, "path", [str(archive), *sys.path])
        shop.root.rename(shop.root.parent / "away")
        assert tool_names(load("shop")) == ["a", "fmean", "b"]
        assert tool_names(load("shop.deep")) == ["b"]

    def test_in_the_cache_dir(self, packages: Packages, monkeypatch: pytest.MonkeyPatch) -> None:
        """Sidecars that lie elsewhere are found there."""
        monkeypatch.setenv("TOOLCALL_CACHE_DIR", str(packages.root.parent / "cache"))
        packages.source("store.c", "raise SystemExit\ndef c(n: int) -> int: ...\n")
        packages.build("store.c", [entry("c", line=2)])
        assert tool_names(load("store")) == ["c"]

    def test_collisions(self, shop: Packages) -> None:
        """Two modules with one tool name: the error names both."""
        shop.build("shop.plain", [entry("b")])
        with pytest.raises(DuplicateTool, match=r"shop\.deep\.b\.b and shop\.plain\.b"):
            load("shop")

    @pytest.mark.parametrize("name", ["no_such_package", "shop.nothing", "json.decoder.x", ""])
    def test_nothing_of_that_name(self, shop: Packages, name: str) -> None:
        """A name that leads nowhere is misuse, not an empty list."""
        with pytest.raises(Misuse):
            load(name)

    def test_a_package_without_tools(self, packages: Packages) -> None:
        """A package without sidecars has no tools."""
        packages.source("dull.x", "raise SystemExit\n")
        assert tool_names(load("dull")) == []


def test_linear_in_the_number_of_tools(packages: Packages) -> None:
    """Resolving looks at each entry a fixed number of times: counted, not timed."""

    def calls(count: int) -> int:
        name = f"many{count}"
        lines = ["from toolcall import tool"]
        lines += [f"@tool\ndef f{at}(n: int) -> int: ..." for at in range(count)]
        packages.source(name, "\n".join(lines))
        packages.build(
            name, [entry(f"f{at}", line=2 + 2 * at, declarations=[]) for at in range(count)]
        )
        module = packages.load(name)
        counted = [0]

        def count_call(*_: object) -> None:
            counted[0] += 1

        sys.setprofile(count_call)
        try:
            tool_names(module)
        finally:
            sys.setprofile(None)
        return counted[0]

    small, large = calls(10), calls(200)
    assert large < small * 25


def test_partial_without_functools_is_not_needed(desk: Any) -> None:
    """Resolving does not load functools by itself."""
    program = "import sys, toolcall._source; print('functools' in sys.modules)"
    command = [sys.executable, "-S", "-c", program]
    environment = dict(os.environ, PYTHONPATH=str(Path(__file__).parents[2]))
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert done.stdout == "False\n"
