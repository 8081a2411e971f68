"""Markup becomes entities, counted in UTF-16 units; wrong markup is refused in Telegram's words."""

import html

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playground.entities import automatic, parse_html, trim
from playground.markdown import parse_markdown
from playground.markup import MarkupError, utf16


def test_offsets_count_utf16_units() -> None:
    text, entities = parse_html("🚢🚢 <b>A4</b> 💥<i>ы</i>")
    assert text == "🚢🚢 A4 💥ы"
    assert entities == [
        {"type": "bold", "offset": 5, "length": 2},
        {"type": "italic", "offset": 10, "length": 1},
    ]


@pytest.mark.parametrize(
    ("source", "entity"),
    [
        ("<strong>x</strong>", {"type": "bold"}),
        ("<em>x</em>", {"type": "italic"}),
        ("<ins>x</ins>", {"type": "underline"}),
        ("<del>x</del>", {"type": "strikethrough"}),
        ("<tg-spoiler>x</tg-spoiler>", {"type": "spoiler"}),
        ('<span class="tg-spoiler">x</span>', {"type": "spoiler"}),
        ("<code>x</code>", {"type": "code"}),
        ("<pre>x</pre>", {"type": "pre"}),
        ('<pre><code class="language-python">x</code></pre>', {"type": "pre", "language": "python"}),
        ("<blockquote>x</blockquote>", {"type": "blockquote"}),
        ("<blockquote expandable>x</blockquote>", {"type": "expandable_blockquote"}),
        ("<a href='https://example.org'>x</a>", {"type": "text_link", "url": "https://example.org/"}),
        ('<a href="tg://user?id=42">x</a>', {"type": "text_mention", "user_id": 42}),
        (
            '<tg-time unix="1647531900" format="wDT">x</tg-time>',
            {"type": "date_time", "unix_time": 1647531900, "date_time_format": "wDT"},
        ),
        ('<tg-time unix="5">x</tg-time>', {"type": "date_time", "unix_time": 5}),
    ],
)
def test_every_tag_becomes_its_entity(source: str, entity: dict[str, object]) -> None:
    assert parse_html(source) == ("x", [{**entity, "offset": 0, "length": 1}])


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("<b>x", 'Can\'t find end tag corresponding to start tag "b"'),
        ("ы</b>", "Unexpected end tag at byte offset 2"),
        ("<foo>x</foo>", 'Unsupported start tag "foo" at byte offset 0'),
        ("1 < 2", 'Unsupported start tag "" at byte offset 2'),
        ("<b>x</i>", 'Unmatched end tag at byte offset 4, expected "</b>", found "</i>"'),
        ("<a href='x'", "Unclosed start tag at byte offset 0"),
        ("a <", "Unclosed start tag at byte offset 2"),
        ('<tg-time unix="soon">x</tg-time>', "Invalid Unix time"),
    ],
)
def test_wrong_html_is_explained(source: str, words: str) -> None:
    with pytest.raises(MarkupError) as refusal:
        parse_html(source)
    assert words in str(refusal.value)


def test_only_four_named_references_are_known() -> None:
    assert parse_html("&lt;&gt;&amp;&quot;&nbsp;&#1099;&#x44b;")[0] == '<>&"&nbsp;ыы'


@given(st.text())
def test_escaped_text_comes_through_unchanged(text: str) -> None:
    assert parse_html(html.escape(text, quote=False).replace("'", "&#39;")) == (text, [])


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["b", "i", "u", "s", "code"]), st.text(st.characters(exclude_categories=["Cs"]), min_size=1)
        ),
        min_size=1,
    )
)
def test_entities_cover_exactly_the_tagged_text(parts: list[tuple[str, str]]) -> None:
    source = "".join(f"<{tag}>{html.escape(words, quote=False)}</{tag}>" for tag, words in parts)
    text, entities = parse_html(source)
    encoded = text.encode("utf-16-le")
    cut = [encoded[2 * e["offset"] : 2 * (e["offset"] + e["length"])].decode("utf-16-le") for e in entities]
    assert cut == [words for _, words in parts]


def test_markdown_v2() -> None:
    text, entities = parse_markdown(
        "*b _i_* `c\\`d` [l](https://e.org/) ||s|| ![t](tg://time?unix=7&format=t)\n>q\nend\\."
    )
    assert text == "b i c`d l s t\nq\nend."
    assert {(e["type"], e["offset"], e["length"]) for e in entities} == {
        ("bold", 0, 3),
        ("italic", 2, 1),
        ("code", 4, 3),
        ("text_link", 8, 1),
        ("spoiler", 10, 1),
        ("date_time", 12, 1),
        ("blockquote", 14, 2),
    }


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("a.b", "Character '.' is reserved and must be escaped with the preceding '\\'"),
        ("*b", "Can't find end of Bold entity at byte offset 0"),
        ("```x", "Can't find end of Pre entity at byte offset 0"),
    ],
)
def test_wrong_markdown_is_explained(source: str, words: str) -> None:
    with pytest.raises(MarkupError) as refusal:
        parse_markdown(source)
    assert words in str(refusal.value)


def test_commands_mentions_links_and_tags_are_found_by_themselves() -> None:
    text = "💥 /fire@some_bot A4 @zima_sea https://e.org/x, #бой no/path a@b"
    found = {
        text.encode("utf-16-le")[2 * e["offset"] : 2 * (e["offset"] + e["length"])].decode("utf-16-le"): e["type"]
        for e in automatic(text, [])
    }
    assert found == {
        "/fire@some_bot": "bot_command",
        "@zima_sea": "mention",
        "https://e.org/x": "url",
        "#бой": "hashtag",
    }


def test_nothing_is_found_inside_code() -> None:
    text, entities = parse_html("<code>/a4 @zima_sea</code>")
    assert automatic(text, entities) == []


def test_white_space_around_is_dropped_but_not_inside_a_leading_entity() -> None:
    assert trim("  x \n", []) == ("x", [])
    text, entities = trim(*parse_html("<pre>  x\n</pre>\n"))
    assert text == "  x"
    assert entities == [{"type": "pre", "offset": 0, "length": 3}]


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_utf16_agrees_with_the_codec(text: str) -> None:
    assert utf16(text) * 2 == len(text.encode("utf-16-le"))
