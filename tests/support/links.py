"""Changes that mail gateways, messengers and people make to a link. Each function takes the site, the slug, a language
or "", and a token or "". It returns the URL that is opened."""

import re
from collections.abc import Callable
from urllib.parse import quote

Change = Callable[[str, str, str, str], str]


def _parts(slug: str, language: str, token: str, between: str = "/") -> str:
    return between.join(filter(None, (slug, language, token)))


def _whole(site: str, slug: str, language: str, token: str) -> str:
    return f"{site}/s/#{_parts(slug, language, token)}"


def _all_encoded(text: str) -> str:
    return "".join(f"%{byte:02X}" for byte in text.encode())


def _wide(text: str) -> str:
    return "".join(chr(ord(each) + 0xFEE0) if "!" <= each <= "~" else each for each in text)


def _after(what: str) -> Change:
    return lambda *link: _whole(*link) + what


def _around(before: str, after: str) -> Change:
    return lambda site, *link: f"{site}/s/#{before}{_parts(*link)}{after}"


def _in_groups(code: str) -> str:
    return "-".join(re.findall(".{1,4}", code)) if len(code) > 20 else code


# Characters behind a link in a text, in several scripts, and additions by programs.
_BEHIND = [
    *[
        ".",
        ",",
        ";",
        ":",
        "!",
        "?",
        ")",
        "]",
        "}",
        ">",
        '"',
        "'",
        "*",
        "_",
        "~",
        "-",
        "`",
        "|",
        "/",
        "//",
        "\\",
        "...",
        ".)",
        ").",
    ],
    *[
        "”.",
        "»",
        "’",
        "“",
        "„",
        "」",
        "』",
        "》",
        "）",
        "】",
        "。",
        "，",
        "、",
        "；",
        "：",
        "！",
        "？",
        "،",
        "؛",
        "؟",
        "۔",
        "।",
        "॥",
        "…",
        "—",
        "–",
    ],
    *("%20", "%22", "%3E", "%0A", "%0D%0A", "%09", "%C2%A0", "+", "&gt;", "&quot;", "&#39;"),
    *("?utm_source=mail", "?utm_source=mail&utm_medium=email", "&fbclid=IwAR0abc", "?fbclid=IwAR-abc_d", "&amp;x=1"),
    *("=3D", "=", "=20", "%3D", "?", "&", "#", "#x", "%5F", "%2F", "%2F%2F", "?language=de"),
    *("%E2%80%8B", "\u200b", "\u200d", "\ufeff", "\u2060", "\u00ad", "\u200e", "\u200f", "\u202c", "\u2069"),
]
CHANGES: dict[str, Change] = {
    "as it is": _whole,
    **{f"with {each!r} behind it": _after(each) for each in _BEHIND},
    **{
        f"between {before} and {after}": _around(before, after)
        for before, after in (
            "<>",
            "()",
            "[]",
            '""',
            "''",
            "“”",
            "„“",
            "«»",
            "‹›",
            "「」",
            "（）",
            "**",
            "__",
            "~~",
            "``",
        )
    },
    "in quotation marks that are encoded": _around("%22", "%22"),
    "in marks of direction": _around("\u202a", "\u202c"),
    "in encoded marks of direction": _around("%E2%81%A6", "%E2%81%A9"),
    "with # encoded": lambda site, *link: f"{site}/s/%23{_parts(*link)}",
    "with # encoded twice": lambda site, *link: f"{site}/s/%2523{_parts(*link)}",
    "with # encoded and more behind": lambda site, *link: f"{site}/s/%23{_parts(*link)}&data=05%7C01&reserved=0",
    "with all behind # encoded": lambda site, *link: f"{site}/s/#{_all_encoded(_parts(*link))}",
    "with all behind # encoded twice": lambda site, *link: f"{site}/s/#{quote(_all_encoded(_parts(*link)))}",
    "with all behind /s/ encoded": lambda site, *link: f"{site}/s/{_all_encoded('#' + _parts(*link))}",
    "with all behind /s/ encoded twice": lambda site, *link: f"{site}/s/{quote(_all_encoded('#' + _parts(*link)))}",
    "with / encoded": lambda site, *link: f"{site}/s/#{_parts(*link, between='%2F')}",
    "with / encoded twice": lambda site, *link: f"{site}/s/#{_parts(*link, between='%252f')}",
    "with / doubled": lambda site, *link: f"{site}/s//#/{_parts(*link, between='//')}",
    "with an empty language": lambda site, slug, language, token: f"{site}/s/#{slug}//{token}",
    "in wide letters": lambda site, *link: f"{site}/s/#{_wide(_parts(*link))}",
    "with wide signs": lambda site, *link: f"{site}/s/{_wide('#')}{_parts(*link, between=_wide('/'))}",
    "in capitals": lambda site, *link: f"{site}/s/#{_parts(*link).upper()}",
    "all in capitals": lambda *link: _whole(*link).upper(),
    "moved into the path": lambda site, *link: f"{site}/s/{_parts(*link)}",
    "moved into the path, with a slash": lambda site, *link: f"{site}/s/{_parts(*link)}/",
    "moved into the query": lambda site, *link: f"{site}/s/?{_parts(*link)}",
    "in a field of the query": lambda site, *link: f"{site}/s/?url={quote(_whole(site, *link), safe='')}&x=y",
    "path moved behind #": lambda site, *link: f"{site}/s/#/s/{_parts(*link)}",
    "path encoded behind #": lambda site, *link: f"{site}/s/#%2Fs%2F%23{_parts(*link)}",
    "whole once more behind #": lambda site, *link: f"{site}/s/#{_whole(site, *link)}",
    "twice": lambda *link: f"{_whole(*link)}<{_whole(*link)}>",
    "with a query before #": lambda site, *link: f"{site}/s/?utm_source=x#{_parts(*link)}",
    "with #! for #": lambda site, *link: f"{site}/s/#!{_parts(*link)}",
    "quoted-printable": lambda *link: _whole(*link).replace("=", "=3D").replace("#", "=23"),
    "with = encoded as quoted-printable before the invitation": lambda site, slug, language, token: (
        f"{site}/s/#{_parts(slug, language, f'=3D{token}')}" if token else f"{site}/s/#=3D{_parts(slug, language, '')}"
    ),
    "with a soft break in the last code": lambda *link: _whole(*link)[:-9] + "=" + _whole(*link)[-9:],
    "with an encoded soft break": lambda *link: _whole(*link)[:-9] + "=%0D%0A" + _whole(*link)[-9:],
    "with the digits of Arabic": lambda *link: _whole(*link).translate(str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")),
    "with the digits of Persian": lambda *link: _whole(*link).translate(str.maketrans("0123456789", "۰۱۲۳۴۵۶۷۸۹")),
    "in groups": lambda site, *link: f"{site}/s/#{'/'.join(map(_in_groups, filter(None, link)))}",
    "in groups with other dashes": lambda *link: _after("")(link[0], *map(_in_groups, link[1:])).replace("-", "–"),
    "broken in a quoted mail": lambda *link: _whole(*link)[:-9] + "%0A%3E%20" + _whole(*link)[-9:],
    "with an entity in it": lambda *link: _whole(*link)[:-9] + "&#8203;" + _whole(*link)[-9:],
    "with a place to break in it": lambda *link: _whole(*link)[:-9] + "%3Cwbr%3E" + _whole(*link)[-9:],
    "broken over two lines": lambda *link: _whole(*link)[:-9] + "%0A" + _whole(*link)[-9:],
    "broken with a space": lambda *link: _whole(*link)[:-9] + "%20" + _whole(*link)[-9:],
    "with an invisible character in it": lambda *link: _whole(*link)[:-9] + "\u200b" + _whole(*link)[-9:],
    "with an encoded invisible character in it": lambda *link: _whole(*link)[:-9] + "%E2%80%8B" + _whole(*link)[-9:],
    "with a soft hyphen in it": lambda *link: _whole(*link)[:-9] + "\u00ad" + _whole(*link)[-9:],
}
