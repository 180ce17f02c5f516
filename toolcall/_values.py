# ruff: noqa: RUF023 -- the order of the slots is the order of the parts
"""The values that pass between tools, models and programs: calls, results, markers.

All of them are frozen, slotted and plain: no behaviour beyond what makes a value a value
(equality, repr, pickling, pattern matching). They know nothing of sources, decoders or
vendors.

Written by hand and not as dataclasses, because a user's module needs `Context`, `Inject`
and `Param` while it is being imported, and `dataclasses` costs more than everything else in
`import toolcall` together. `_Value` sets the slots once, in order, from `__init__`; the two
that are made on every call, `Ok` and `Err`, set their own.
"""

from __future__ import annotations

from _operator import attrgetter

from toolcall.errors import Problem, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, Generic, NoReturn, TypeAlias, TypeVar

    T = TypeVar("T")
    T_co = TypeVar("T_co", covariant=True)

    class _Of(Generic[T_co]):
        pass

else:
    _GenericAlias = type(list[int])

    class _Subscriptable:
        """Makes `Context[User]` and `Ok[int]` work at run time, without `typing`."""

        __slots__ = ()

        def __class_getitem__(cls, item):
            return _GenericAlias(cls, item)

    T = T_co = None
    _Of = {None: _Subscriptable}

_put = object.__setattr__


class _Value:
    """A frozen value whose parts are its slots, in order."""

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is frozen: {name} cannot be set")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is frozen: {name} cannot be deleted")

    def _parts(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in self._names())

    @classmethod
    def _names(cls) -> tuple[str, ...]:
        names: tuple[str, ...] = cls.__dict__["__slots__"]
        return names

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash((type(self), self._parts()))

    def __repr__(self) -> str:
        pairs = zip(self._names(), self._parts(), strict=True)
        shown = ", ".join(f"{name}={value!r}" for name, value in pairs if value is not None)
        return f"{type(self).__name__}({shown})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), self._parts())


def _restored(cls: type[_Value], parts: tuple[Any, ...]) -> _Value:
    value = cls.__new__(cls)
    for name, part in zip(cls._names(), parts, strict=True):
        _put(value, name, part)
    return value


# The answer to a call


if TYPE_CHECKING:
    _OkType = type
else:

    class _OkType(type):
        """Fills in an `Ok`. As `Ok` itself has no constructor in Python, `empty_ok` is all C."""

        def __call__(cls, value, processed=None):
            made = empty_ok()
            made._value = value
            made._processed = processed
            return made


class Ok(_Value, _Of[T_co], metaclass=_OkType):
    """A tool ran. `value` is what it returned.

    A tool may return an `Ok` itself, to keep a native value in `processed` for the program
    that the model never sees.
    """

    # One is made for every call, so it is made the cheapest way that Python has: by its
    # type alone, and plain assignment to slots. Its public names are properties, which
    # nobody can assign to.
    __slots__ = ("_value", "_processed")
    __match_args__ = ("value", "processed")

    if TYPE_CHECKING:
        _value: T_co
        _processed: object

        @property
        def value(self) -> T_co: ...

        @property
        def processed(self) -> object: ...

        def __init__(self, value: T_co, processed: object = None) -> None: ...

    else:
        value = property(attrgetter("_value"), doc="What the tool returned.")
        processed = property(attrgetter("_processed"), doc="A native value for the program.")
        # Both, since they share one slot of the type.
        __setattr__ = object.__setattr__
        __delattr__ = object.__delattr__

    @classmethod
    def _names(cls) -> tuple[str, ...]:
        return cls.__match_args__

    def __reduce__(self) -> tuple[Any, ...]:
        return Ok, (self._value, self._processed)


empty_ok: Callable[[], Ok[Any]] = type.__call__.__get__(Ok)
"""A new `Ok`, to be filled in by who asks for it."""


class Err(_Value):
    """A tool did not run, or answered with an error. `str()` is the text for the model.

    Built from problems, or from a text: `Err("no such city")`, returned by a tool, says the
    same as raising `ToolError("no such city")`. `text` is for who can say it better than
    the problems one by one.
    """

    __slots__ = ("problems", "text")
    __match_args__ = ("problems",)

    problems: tuple[Problem, ...]
    text: str | None

    def __init__(self, problems: Sequence[Problem] | str, *, text: str | None = None) -> None:
        if isinstance(problems, str):
            problems = (Problem("tool_error", message=problems),)
        _put(self, "problems", tuple(problems))
        _put(self, "text", text)

    def __str__(self) -> str:
        return text_of(self.problems) if self.text is None else self.text

    def __repr__(self) -> str:
        return f"Err({list(self.problems)!r})"


# Calls and results


class ToolCall(_Value):
    """One call as a model made it.

    `arguments` is a mapping, or JSON text as some vendors send it. `index` is the place of
    the call among parallel ones, where the vendor numbers them.
    """

    __slots__ = ("id", "name", "arguments", "index")
    __match_args__ = ("id", "name", "arguments")

    id: str | None
    name: str
    arguments: Mapping[str, object] | str | bytes | None
    index: int | None

    def __init__(
        self,
        id: str | None,  # noqa: A002 -- the vendors' word
        name: str,
        arguments: Mapping[str, object] | str | bytes | None = None,
        index: int | None = None,
    ) -> None:
        _put(self, "id", id)
        _put(self, "name", name)
        _put(self, "arguments", arguments)
        _put(self, "index", index)

    __hash__ = None  # type: ignore[assignment]  # arguments are most often a dict


class ToolResult(_Value):
    """The answer to one call, in a shape that every vendor's format can write.

    `content` is a text or a list of parts; a single part counts as a list of one. `processed`
    keeps a native value for the program, `structured` the JSON value where the vendor takes
    one, `options` what only one vendor reads. An interrupt asks a person first:
    `interrupt_data` is what the program needs to ask, and never goes to the model.
    """

    __slots__ = (
        "content",
        "id",
        "name",
        "is_error",
        "processed",
        "display_text",
        "options",
        "is_interrupt",
        "interrupt_data",
        "structured",
    )
    __match_args__ = ("content", "id", "name", "is_error")

    content: tuple[Part, ...]
    id: str | None
    name: str | None
    is_error: bool
    processed: object
    display_text: str | None
    options: Mapping[str, object] | None
    is_interrupt: bool
    interrupt_data: object
    structured: object

    def __init__(
        self,
        content: str | Part | Sequence[Part],
        *,
        id: str | None = None,  # noqa: A002
        name: str | None = None,
        is_error: bool = False,
        processed: object = None,
        display_text: str | None = None,
        options: Mapping[str, object] | None = None,
        is_interrupt: bool = False,
        interrupt_data: object = None,
        structured: object = None,
    ) -> None:
        _put(self, "content", _as_parts(content))
        _put(self, "id", id)
        _put(self, "name", name)
        _put(self, "is_error", is_error)
        _put(self, "processed", processed)
        _put(self, "display_text", display_text)
        _put(self, "options", options)
        _put(self, "is_interrupt", is_interrupt)
        _put(self, "interrupt_data", interrupt_data)
        _put(self, "structured", structured)

    __hash__ = None  # type: ignore[assignment]

    @property
    def text(self) -> str:
        """The text parts, one after the other."""
        return "".join(part.text for part in self.content if isinstance(part, TextPart))

    def with_(self, **changes: Any) -> ToolResult:
        """A copy with some parts replaced, for example `result.with_(id=call.id)`."""
        parts = dict(zip(self._names(), self._parts(), strict=True))
        if not changes.keys() <= parts.keys():
            raise TypeError(
                f"a ToolResult has no {', '.join(sorted(changes.keys() - parts.keys()))}"
            )
        return ToolResult(**{**parts, **changes})


def _as_parts(content: str | Part | Sequence[Part]) -> tuple[Part, ...]:
    if isinstance(content, str):
        return (TextPart(content),)
    parts = (content,) if isinstance(content, _Value) else tuple(content)
    for part in parts:
        if not isinstance(part, (TextPart, ImagePart, AudioPart, FilePart, ResourcePart)):
            raise TypeError(f"content is text or content parts, not {type(part).__name__}")
    return parts


class TextPart(_Value):
    """Text for the model."""

    __slots__ = ("text",)
    __match_args__ = ("text",)

    text: str

    def __init__(self, text: str) -> None:
        if not isinstance(text, str):
            raise TypeError(f"a TextPart is text, not {type(text).__name__}")
        _put(self, "text", text)


class _DataPart(_Value):
    __slots__ = ()

    def __init__(
        self, data: bytes | None = None, media_type: str | None = None, url: str | None = None
    ) -> None:
        if (data is None) == (url is None):
            raise TypeError(f"{type(self).__name__} takes either data or url")
        _put(self, "data", data)
        _put(self, "media_type", media_type)
        _put(self, "url", url)


class ImagePart(_DataPart):
    """An image: raw bytes or a URL, and its media type (`image/png`)."""

    __slots__ = ("data", "media_type", "url")
    __match_args__ = ("data", "media_type", "url")

    data: bytes | None
    media_type: str | None
    url: str | None


class AudioPart(_DataPart):
    """Sound: raw bytes or a URL, and its media type (`audio/wav`)."""

    __slots__ = ("data", "media_type", "url")
    __match_args__ = ("data", "media_type", "url")

    data: bytes | None
    media_type: str | None
    url: str | None


class FilePart(_Value):
    """A file: raw bytes or a URL, its media type (`application/pdf`) and its name."""

    __slots__ = ("data", "media_type", "url", "name")
    __match_args__ = ("data", "media_type", "url", "name")

    data: bytes | None
    media_type: str | None
    url: str | None
    name: str | None

    def __init__(
        self,
        data: bytes | None = None,
        media_type: str | None = None,
        url: str | None = None,
        name: str | None = None,
    ) -> None:
        if (data is None) == (url is None):
            raise TypeError("FilePart takes either data or url")
        _put(self, "data", data)
        _put(self, "media_type", media_type)
        _put(self, "url", url)
        _put(self, "name", name)


class ResourcePart(_Value):
    """A resource by its URI, with its text or bytes where they are at hand."""

    __slots__ = ("uri", "text", "data", "media_type", "name")
    __match_args__ = ("uri", "text", "data", "media_type", "name")

    uri: str
    text: str | None
    data: bytes | None
    media_type: str | None
    name: str | None

    def __init__(
        self,
        uri: str,
        text: str | None = None,
        data: bytes | None = None,
        media_type: str | None = None,
        name: str | None = None,
    ) -> None:
        if text is not None and data is not None:
            raise TypeError("ResourcePart takes text or data, not both")
        _put(self, "uri", uri)
        _put(self, "text", text)
        _put(self, "data", data)
        _put(self, "media_type", media_type)
        _put(self, "name", name)


if TYPE_CHECKING:
    Part: TypeAlias = TextPart | ImagePart | AudioPart | FilePart | ResourcePart


# What stands in the signature of a tool


class Context(_Value, _Of[T_co]):
    """What the program gives a tool and the model cannot: a parameter of this type is injected.

    `value` is the `context=` of the call, `call_id` the vendor's id of the call (None where
    there is none), `tool_name` the name the tool was called by.
    """

    __slots__ = ("value", "call_id", "tool_name")
    __match_args__ = ("value", "call_id", "tool_name")

    value: T_co
    call_id: str | None
    tool_name: str

    def __init__(self, value: T_co, call_id: str | None = None, tool_name: str = "") -> None:
        _put(self, "value", value)
        _put(self, "call_id", call_id)
        _put(self, "tool_name", tool_name)


class Inject:
    """Marks a parameter as given by the program: `Annotated[str, Inject]`.

    The value is `context[name]` of a mapping, or the attribute `name` of any other context.
    """

    __slots__ = ()


class Param(_Value):
    """What a parameter or field says about itself inside `Annotated[...]`.

    `description` is for the model (an empty text: none at all, wherever else one is written).
    `name` is the property on the wire. `wire="string_integer"` lets an integer travel as
    decimal text. The others are constraints. The checker reads all of it from the source;
    at run time it is inert.
    """

    __slots__ = (
        "description",
        "name",
        "wire",
        "ge",
        "gt",
        "le",
        "lt",
        "multiple_of",
        "min_length",
        "max_length",
        "pattern",
        "min_items",
        "max_items",
        "min_properties",
        "max_properties",
    )
    __match_args__ = ("description",)

    description: str | None
    name: str | None
    wire: str | None

    def __init__(
        self,
        description: str | None = None,
        *,
        name: str | None = None,
        wire: str | None = None,
        ge: float | None = None,
        gt: float | None = None,
        le: float | None = None,
        lt: float | None = None,
        multiple_of: float | None = None,
        min_length: int | None = None,
        max_length: int | None = None,
        pattern: str | None = None,
        min_items: int | None = None,
        max_items: int | None = None,
        min_properties: int | None = None,
        max_properties: int | None = None,
    ) -> None:
        _put(self, "description", description)
        _put(self, "name", name)
        _put(self, "wire", wire)
        _put(self, "ge", ge)
        _put(self, "gt", gt)
        _put(self, "le", le)
        _put(self, "lt", lt)
        _put(self, "multiple_of", multiple_of)
        _put(self, "min_length", min_length)
        _put(self, "max_length", max_length)
        _put(self, "pattern", pattern)
        _put(self, "min_items", min_items)
        _put(self, "max_items", max_items)
        _put(self, "min_properties", min_properties)
        _put(self, "max_properties", max_properties)
