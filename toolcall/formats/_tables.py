"""What each vendor accepts: every row with the place and the month it was read.

Rows that no vendor documents say "observed" in their source. Where a vendor's rule
depends on the model or the host, the row is the strictest of them.
"""

from __future__ import annotations

from toolcall.formats._dialect import Dialect, Limits, NameRule, Row, Subset

_SPEC = "json-schema.org, draft 2020-12"
_OURS = "our choice"

_ALL_KEYWORDS = frozenset(
    {
        "additionalProperties",
        "contentEncoding",
        "default",
        "exclusiveMaximum",
        "exclusiveMinimum",
        "maxItems",
        "maxLength",
        "maxProperties",
        "maximum",
        "minItems",
        "minLength",
        "minProperties",
        "minimum",
        "multipleOf",
        "pattern",
        "prefixItems",
        "propertyNames",
        "uniqueItems",
    }
)

_FULL = Subset(
    keywords=Row(_ALL_KEYWORDS, _SPEC),
    formats=Row(None, _SPEC),
    null=Row("type", _SPEC),
    enum=Row("any", _SPEC),
    enum_null=Row(True, _SPEC),
    enum_type=Row(True, "Gemini 3 refuses an enum without type; harmless elsewhere (observed)"),
    optional=Row("absent", _SPEC),
    refs=Row("share", _SPEC),
    ref_siblings=Row(True, _SPEC),
    cycle_required=Row(True, _SPEC),
    recursion=Row(True, _SPEC),
    open=Row(True, _SPEC),
    closed=Row(True, "our choice: the decoder refuses unknown keys, so the schema says it"),
    untyped=Row(True, _SPEC),
    typed_items=Row(False, _SPEC),
    lookaround=Row(True, _SPEC),
    least_items=Row(None, _SPEC),
    root_refuses=Row(frozenset(), _SPEC),
)

_OPENAI_GUIDE = "OpenAI guide 'Structured model outputs', supported schemas"

_OPENAI_ROOT = Row(
    frozenset({"allOf", "anyOf", "const", "enum", "not", "oneOf"}),
    "error text \"schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' "
    'at the top level" (observed)',
    "2026-12",
)

_OPENAI_STRICT = Subset(
    keywords=Row(
        frozenset(
            {
                "additionalProperties",
                "exclusiveMaximum",
                "exclusiveMinimum",
                "maxItems",
                "maximum",
                "minItems",
                "minimum",
                "multipleOf",
                "pattern",
            }
        ),
        _OPENAI_GUIDE + "; lengths of strings are left out, since other hosts of this "
        "protocol refuse them",
    ),
    formats=Row(
        frozenset(
            {"date", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "time", "uuid"}
        ),
        _OPENAI_GUIDE,
    ),
    null=Row("type", _OPENAI_GUIDE),
    enum=Row("any", _OPENAI_GUIDE),
    enum_null=Row(True, _OPENAI_GUIDE),
    enum_type=Row(True, "as the plain subset"),
    optional=Row("null", _OPENAI_GUIDE + "; openai 3.57.0 lib/_pydantic.py"),
    refs=Row("share", _OPENAI_GUIDE),
    ref_siblings=Row(False, "openai 3.57.0 lib/_pydantic.py unravels a $ref with siblings"),
    cycle_required=Row(True, _OPENAI_GUIDE),
    recursion=Row(True, _OPENAI_GUIDE),
    open=Row(False, _OPENAI_GUIDE),
    closed=Row(True, _OPENAI_GUIDE),
    untyped=Row(False, "error text 'schema must have a type key' (observed)"),
    typed_items=Row(True, "error text 'array schema missing items' (observed)"),
    lookaround=Row(False, "error text on patterns with lookaround (observed)"),
    least_items=Row(None, _OPENAI_GUIDE),
    root_refuses=_OPENAI_ROOT,
)

_OPENAI_LIMITS = Limits(
    properties=Row(5000, _OPENAI_GUIDE + " (100 until July 2025)"),
    depth=Row(10, _OPENAI_GUIDE + " (5 until July 2025); each definition on its own (observed)"),
    characters=Row(120_000, _OPENAI_GUIDE + " (15,000 until July 2025)"),
    enum_values=Row(1000, _OPENAI_GUIDE + " (500 until July 2025)"),
    enum_characters=Row(15_000, _OPENAI_GUIDE + ": one string enum of more than 250 values"),
    request_tools=Row(None, _OPENAI_GUIDE),
    request_optional=Row(None, _OPENAI_GUIDE),
    request_unions=Row(None, _OPENAI_GUIDE),
)

OPENAI = Dialect(
    format=Row("openai", _OURS),
    tool_name=Row(NameRule("_-", 64), "openai 3.57.0 FunctionDefinition.name"),
    property_name=Row(None, "none found"),
    plain=Row(
        _FULL.but(
            typed_items=Row(True, "error text 'array schema missing items' (observed)"),
            root_refuses=_OPENAI_ROOT,
        ),
        "OpenAI guide 'Function calling'",
    ),
    strict=Row(_OPENAI_STRICT, _OPENAI_GUIDE),
    limits=Row(_OPENAI_LIMITS, _OPENAI_GUIDE),
)

OPENAI_RESPONSES = OPENAI.but(
    format=Row("openai_responses", _OURS),
    tool_name=Row(NameRule("_-", 64), "error text shows [a-zA-Z0-9_-]+; 64 as for chat (observed)"),
)

_ANTHROPIC_SDK = "anthropic 2.14.0 lib/_parse/_transform.py transform_schema"
_ANTHROPIC_GUIDE = "Anthropic guide 'Structured outputs', JSON Schema limitations"

_ANTHROPIC_ROOT = Row(
    frozenset({"allOf", "anyOf", "oneOf"}),
    "error text 'input_schema does not support oneOf, allOf, or anyOf at the top level' (observed)",
    "2026-12",
)

_ANTHROPIC_STRICT = Subset(
    keywords=Row(frozenset({"additionalProperties", "minItems"}), _ANTHROPIC_SDK),
    formats=Row(
        frozenset(
            {
                "date",
                "date-time",
                "duration",
                "email",
                "hostname",
                "ipv4",
                "ipv6",
                "time",
                "uri",
                "uuid",
            }
        ),
        _ANTHROPIC_SDK,
    ),
    null=Row("any_of", _ANTHROPIC_SDK + " fails on a list of types"),
    enum=Row("any", _ANTHROPIC_SDK),
    enum_null=Row(True, _ANTHROPIC_SDK),
    enum_type=Row(False, _ANTHROPIC_SDK + " drops the type beside an enum"),
    optional=Row("absent", _ANTHROPIC_GUIDE),
    refs=Row("must", "a reference with a description needs anyOf, which counts as a union"),
    ref_siblings=Row(False, _ANTHROPIC_SDK + " drops siblings"),
    cycle_required=Row(True, _ANTHROPIC_GUIDE),
    recursion=Row(False, _ANTHROPIC_GUIDE),
    open=Row(False, _ANTHROPIC_SDK),
    closed=Row(True, _ANTHROPIC_SDK),
    untyped=Row(False, _ANTHROPIC_SDK + " raises"),
    typed_items=Row(True, _ANTHROPIC_GUIDE),
    lookaround=Row(False, "pattern is no keyword here"),
    least_items=Row(1, _ANTHROPIC_SDK),
    root_refuses=_ANTHROPIC_ROOT,
)

_ANTHROPIC_LIMITS = Limits(
    properties=Row(None, _ANTHROPIC_GUIDE),
    depth=Row(None, _ANTHROPIC_GUIDE),
    characters=Row(None, _ANTHROPIC_GUIDE),
    enum_values=Row(None, _ANTHROPIC_GUIDE),
    enum_characters=Row(None, _ANTHROPIC_GUIDE),
    request_tools=Row(20, _ANTHROPIC_GUIDE),
    request_optional=Row(24, _ANTHROPIC_GUIDE),
    request_unions=Row(16, _ANTHROPIC_GUIDE + "; counted without following $ref (observed)"),
)

ANTHROPIC = Dialect(
    format=Row("anthropic", _OURS),
    tool_name=Row(NameRule("_-", 128), "API error text ^[a-zA-Z0-9_-]{1,128}$ (observed)"),
    property_name=Row(
        NameRule("_.-", 64),
        "API error text ^[a-zA-Z0-9_.-]{1,64}$ (observed; of the root's properties, and taken "
        "for nested ones as well)",
        "2026-12",
    ),
    plain=Row(
        _FULL.but(root_refuses=_ANTHROPIC_ROOT),
        "anthropic 2.14.0 ToolParam.input_schema: JSON Schema 2020-12",
    ),
    strict=Row(_ANTHROPIC_STRICT, _ANTHROPIC_GUIDE),
    limits=Row(_ANTHROPIC_LIMITS, _ANTHROPIC_GUIDE),
)

_BEDROCK_MODEL = "botocore 1.44.8 service model bedrock-runtime"
_BEDROCK_OBSERVED = "error texts of Claude and Qwen on Converse (observed)"

_BEDROCK_ROOT = Row(_ANTHROPIC_ROOT.value, "as Anthropic's, the strictest of the models", "2026-12")

_BEDROCK_STRICT = Subset(
    keywords=Row(
        frozenset({"additionalProperties", "maxLength", "minItems", "minLength", "pattern"}),
        _BEDROCK_OBSERVED + "; lengths pass although the guide says no",
    ),
    formats=Row(_ANTHROPIC_STRICT.formats, "as Anthropic's"),
    null=Row("any_of", "as Anthropic's"),
    enum=Row("any", "as Anthropic's"),
    enum_null=Row(False, "kept apart, since model families differ"),
    enum_type=Row(True, "as the plain subset"),
    optional=Row("absent", "as Anthropic's"),
    refs=Row(
        "never", "AgentCore refuses $ref and $defs; Nova wants definitions inlined (observed)"
    ),
    ref_siblings=Row(False, "as Anthropic's"),
    cycle_required=Row(True, "as Anthropic's"),
    recursion=Row(False, "as Anthropic's"),
    open=Row(False, _BEDROCK_OBSERVED),
    closed=Row(True, _BEDROCK_OBSERVED),
    untyped=Row(False, "as Anthropic's"),
    typed_items=Row(True, "as Anthropic's"),
    lookaround=Row(False, _BEDROCK_OBSERVED),
    least_items=Row(1, _BEDROCK_OBSERVED),
    root_refuses=_BEDROCK_ROOT,
)

BEDROCK = Dialect(
    format=Row("bedrock", _OURS),
    tool_name=Row(NameRule("_-", 64), _BEDROCK_MODEL + " ToolName", "2026-12"),
    property_name=Row(
        NameRule("_.-", 64), "as Anthropic's, the strictest of the models", "2026-12"
    ),
    plain=Row(
        _FULL.but(
            refs=Row("must", "AgentCore refuses $ref, Nova wants it inlined; only for recursion"),
            root_refuses=_BEDROCK_ROOT,
        ),
        _BEDROCK_MODEL + " ToolInputSchema: any JSON document",
    ),
    strict=Row(_BEDROCK_STRICT, _BEDROCK_MODEL + " ToolSpecification.strict"),
    limits=Row(
        _ANTHROPIC_LIMITS.but(
            request_optional=Row(None, "none found"),
            request_unions=Row(None, "none found"),
        ),
        "Bedrock guide 'Structured outputs': 20 strict tools in one request",
    ),
)

_GEMINI_SDK = "google-genai 3.6.1 GenerateContentConfig.response_json_schema"
_GEMINI_OBSERVED = "older API: only enum and date-time (observed)"

_GEMINI_JSON = Subset(
    keywords=Row(
        frozenset(
            {
                "additionalProperties",
                "default",
                "maxItems",
                "maximum",
                "minItems",
                "minimum",
                "prefixItems",
            }
        ),
        _GEMINI_SDK + "; a default is sent all the same, since the full language may be sent",
    ),
    formats=Row(frozenset({"date", "date-time", "time"}), "Gemini guide 'Structured output'"),
    null=Row("type", "Gemini guide 'Structured output'"),
    enum=Row("scalar", _GEMINI_SDK),
    enum_null=Row(False, _GEMINI_SDK + ": strings and numbers"),
    enum_type=Row(True, "Gemini 3 answers MALFORMED_FUNCTION_CALL without (observed)"),
    optional=Row("absent", _GEMINI_SDK),
    refs=Row("must", _GEMINI_SDK + ": cyclic references are unrolled to a limited degree"),
    ref_siblings=Row(False, _GEMINI_SDK),
    cycle_required=Row(False, _GEMINI_SDK),
    recursion=Row(True, _GEMINI_SDK),
    open=Row(True, _GEMINI_SDK),
    closed=Row(True, "google-genai 3.6.1 FunctionDeclaration.parameters_json_schema, its example"),
    untyped=Row(True, "no rule found"),
    typed_items=Row(True, "error text 'items: missing field' (observed)"),
    lookaround=Row(False, "pattern is no keyword here"),
    least_items=Row(None, _GEMINI_SDK),
    root_refuses=Row(
        frozenset({"allOf", "anyOf", "const", "enum", "not", "oneOf"}),
        _GEMINI_SDK.replace("GenerateContentConfig.response", "FunctionDeclaration.parameters")
        + ": an object whose properties are the parameters",
        "2026-12",
    ),
)

GEMINI = Dialect(
    format=Row("gemini", _OURS),
    tool_name=Row(
        NameRule("_.:-", 128, head="_"),
        "google-genai 3.6.1 FunctionDeclaration.name (64 and no colon until 2025)",
        "2026-12",
    ),
    property_name=Row(
        NameRule("_", 64, head="_"), "google-genai 3.6.1 FunctionDeclaration.parameters", "2026-12"
    ),
    plain=Row(_GEMINI_JSON, _GEMINI_SDK),
    strict=Row(None, "the calling mode VALIDATED needs no other schema"),
    limits=Row(None, "none found"),
)

_GEMINI_SCHEMA = "google-genai 3.6.1 Schema"

_GEMINI_OPENAPI = _GEMINI_JSON.but(
    keywords=Row(
        frozenset(
            {
                "default",
                "maxItems",
                "maxLength",
                "maxProperties",
                "maximum",
                "minItems",
                "minLength",
                "minProperties",
                "minimum",
                "pattern",
            }
        ),
        _GEMINI_SCHEMA + "; additionalProperties is new there and refused by older endpoints",
    ),
    formats=Row(frozenset({"date-time"}), _GEMINI_OBSERVED),
    null=Row("keyword", _GEMINI_SCHEMA),
    enum=Row("string", _GEMINI_SCHEMA),
    refs=Row("never", _GEMINI_SCHEMA + ": ref and defs are new there"),
    recursion=Row(False, _GEMINI_SCHEMA),
    closed=Row(False, "as keywords"),
)

GEMINI_PARAMETERS = GEMINI.but(
    format=Row("gemini_parameters", _OURS),
    plain=Row(_GEMINI_OPENAPI, _GEMINI_SCHEMA),
)

_MCP_STRICT = "the subset of OpenAI's strict mode, for hosts that pass schemas on"

MCP = Dialect(
    format=Row("mcp", _OURS),
    tool_name=Row(NameRule("_.-", 128), "MCP 2025-11-25, server/tools, Tool Names (a SHOULD)"),
    property_name=Row(None, "no rule"),
    plain=Row(_FULL, "MCP 2025-11-25: JSON Schema 2020-12 when $schema is absent"),
    strict=Row(_OPENAI_STRICT, _MCP_STRICT),
    limits=Row(None, "no strict mode of its own"),
)

MCP_2025_11_25 = MCP.but(format=Row("mcp-2025-11-25", _OURS))

MCP_2025_06_18 = MCP.but(
    format=Row("mcp-2025-06-18", _OURS),
    tool_name=Row(None, "MCP 2025-06-18 has no rule"),
)

OUTPUT = _FULL.but(
    keywords=Row(_ALL_KEYWORDS - {"default"}, "a result leaves nothing out"),
    closed=Row(False, "a result may be of a subclass with more fields"),
)
"""The subset for what a tool returns, in MCP's `outputSchema`."""

ALL: tuple[Dialect, ...] = (
    OPENAI,
    OPENAI_RESPONSES,
    ANTHROPIC,
    BEDROCK,
    GEMINI,
    GEMINI_PARAMETERS,
    MCP,
    MCP_2025_11_25,
    MCP_2025_06_18,
)
"""Every dialect, the most used first."""
