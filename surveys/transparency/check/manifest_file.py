#!/usr/bin/env python3
"""Write the manifest of the files that respondents' browsers run, from a checkout of the source.

    python3 surveys/transparency/check/manifest_file.py > manifest.json
    python3 surveys/transparency/check/manifest_file.py --release > release.json

The script is one file and needs only Python 3.11: read it before you run it. The same commit gives the same bytes on
any machine. A site of that commit serves them at /check/manifest.json and /check/release.json.

The manifest has the fingerprint of the page's document and of each file. The document is the same for every survey and
every site of a version. "sources" has the repository's files that are joined into each file, with their fingerprints
(surveys/respondent/page/assets.py explains how). pins.js is generated from the fingerprints of others and has no
sources. The release has version, commit, and the SHA-384 of the manifest.
"""

import ast
import base64
import hashlib
import html
import json
import re
import sys
from pathlib import Path
from typing import Any

Data = dict[str, Any]

ROOT = Path(__file__).resolve().parents[3]
SOURCES = "surveys/static/respond"
TEMPLATES = ROOT / "surveys" / "templates" / "respondent"
FORMAT, RELEASE_FORMAT = 3, 1

# Values in the source, read from its text -----------------------------------------------------------------------------


def constants(path: str, *names: str, **known: object) -> list[Any]:
    """Return the values of these names. A module must assign them from constants, each other and `known`."""
    space: Data = {"__builtins__": {}, **known}
    for node in ast.parse((ROOT / path).read_text(encoding="utf-8")).body:
        assigned = {
            each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
        }
        if isinstance(node, ast.Assign) and assigned & set(names):
            exec(compile(ast.Module([node], []), path, "exec"), space)
    return [space[name] for name in names]


def version() -> str:
    return str(constants("surveys/__init__.py", "__version__")[0])


def modules() -> dict[str, list[str]]:
    """Return the files that the page loads, each with its sources."""
    names, kinds = ("MODULES", "PAGE", "STYLE", "LATER"), kinds_alone()
    joined, page, style, later = constants("surveys/respondent/page/assets.py", *names, KINDS=kinds)
    words = [name for _, name in words_by_language()]
    alone = {name: [name] for name in (style, *later)}
    alone |= {name: [f"kinds/{name}"] for name in kinds} | {name: [f"words/{name}"] for name in words}
    return {page: list(joined)} | alone


def kinds_alone() -> tuple[str, ...]:
    """Return the files of rare kinds of question."""
    return tuple(sorted(path.name for path in (ROOT / SOURCES / "kinds").glob("*.js")))


def words_by_language() -> list[tuple[str, str]]:
    """Return the tables of words with their language tags: first the initial tables of all languages, then the later
    ones."""
    return [(tag, f"{tag}{more}.js") for more in ("", "-more") for tag in notices()]


def notices() -> dict[str, dict[str, str]]:
    """Return the notices of the document by language, English first, then alphabetically."""
    minimum = constants("surveys/respondent/page/notices.py", "MINIMUM")[0]
    folder = ROOT / SOURCES / "words"
    files = sorted(folder.glob("*.json"), key=lambda file: (file.stem != "en", file.stem))
    texts = {file.stem: json.loads(file.read_text(encoding="utf-8"))["notices"] for file in files}
    return {
        tag: {name: text.replace("{minimum}", minimum) for name, text in words.items()} for tag, words in texts.items()
    }


def is_right_to_left(language: str) -> bool:
    return language in constants("surveys/rules/languages.py", "_RIGHT_TO_LEFT")[0]


# Files ----------------------------------------------------------------------------------------------------------------

LEFT_OUT = re.compile(r"import | *(//|/\*|\*)|$")
COMMENT = re.compile(r" *(//|/\*|\*)")
STYLE_COMMENT = re.compile(r" */\*[^*]*\*/$")
FROM = re.compile(r'^(import .* from ")[./]+\w+', re.MULTILINE)


def content(name: str, sources: list[str]) -> bytes:
    """Return the file that the page loads: its sources without comments and indentation. In the style and in joined
    files, spaces beside brackets and signs are removed too."""
    texts = [(ROOT / SOURCES / source).read_text(encoding="utf-8") for source in sources]
    if len(sources) > 1:
        joined = re.sub(r"([\[;{,(])\n", r"\1", "".join(lines(text, LEFT_OUT) for text in texts))
        close = re.sub(" ([({])", r"\1", re.sub(" ?([=<>?:&|*+%!-]+|[,{]) ", r"\1", joined))
        return re.sub(";? ?}", "}", close).encode()
    if name.endswith(".css"):
        rules = re.sub(" *([{},>]) *", r"\1", lines(texts[0], STYLE_COMMENT).replace("\n", ""))
        return re.sub("([:;]) ", r"\1", rules).replace(";}", "}").encode()
    return FROM.sub(r"\1./page", lines(texts[0], COMMENT)).encode()


def lines(text: str, left_out: re.Pattern[str]) -> str:
    return "".join(line.lstrip(" ") for line in text.splitlines(keepends=True) if not left_out.match(line))


def integrity(data: bytes) -> str:
    """Return the SHA-384 in the notation of Subresource Integrity."""
    return "sha384-" + base64.b64encode(hashlib.sha384(data).digest()).decode()


def source_integrity(source: str) -> str:
    return integrity((ROOT / SOURCES / source).read_bytes())


# The page -------------------------------------------------------------------------------------------------------------

MARK = re.compile(r"{%\s*(.*?)\s*%}|{{\s*(.*?)\s*}}")


def document() -> bytes:
    return rendered("page.html", context()).encode()


def context() -> Data:
    names = "PAGE", "STYLE", "PINS", "LATER"
    page, style, pins, later = constants("surveys/respondent/page/assets.py", *names, KINDS=kinds_alone())
    files = {name: {"url": address(name), "integrity": value} for name, value in pinned().items()}
    texts, words, rest = notices(), words_by_language(), listed()
    return {
        "names": " · ".join(each["name"] for each in texts.values()),
        "notices": [(tag, "rtl" if is_right_to_left(tag) else "ltr", each) for tag, each in texts.items()],
        "script": files[page],
        "style": files[style],
        "pinned": [files[name] for name in (pins, *later) if name not in rest],
        "listed": [files[name] for name in later if name in rest],
        "words": [(tag, files[name]) for tag, name in words if name not in rest],
        "other_words": [(tag, files[name]) for tag, name in words if name in rest],
        "icon_url": "/static/respond/icon.svg",
        "touch_icon_url": "/static/respond/icon.png",
    }


def pinned() -> dict[str, str]:
    files = {name: integrity(content(name, sources)) for name, sources in modules().items()}
    rows = json.dumps({name: files[name] for name in listed()}, indent=0)
    name = constants("surveys/respondent/page/assets.py", "PINS")[0]
    return files | {name: integrity(f"export const PINS = {rows};\n".encode())}


def listed() -> list[str]:
    """Return the files that pins.js pins instead of the document."""
    seldom = constants("surveys/respondent/page/assets.py", "SELDOM", "LATER", KINDS=kinds_alone())[0]
    return [*seldom, *(name for tag, name in words_by_language() if tag != "en")]


def address(name: str) -> str:
    return f"/respond/{name}"


def rendered(template: str, names: Data) -> str:
    """Return a rendered template. It can have names, loops, includes, and blocks that no template overrides."""
    text = (TEMPLATES / template).read_text(encoding="utf-8")
    return filled(MARK.split(text), names)[0]


def filled(pieces: list[str | None], names: Data) -> tuple[str, list[str | None]]:
    """Return the text up to the end of the open loop, and the remaining pieces. Each mark has three pieces: the text
    before it, the tag, the name."""
    out = str(pieces[0])
    while len(pieces) > 1:
        tag, name, pieces = pieces[1] or "", pieces[2], pieces[3:]
        if name is not None:
            out += html.escape(value(name, names))
        elif tag == "endfor":
            return out, pieces
        elif tag.startswith("for "):
            inner, pieces = repeated(tag, pieces, names)
            out += inner
        elif tag.startswith("include "):
            out += rendered(tag.split('"')[1].removeprefix("respondent/"), names)
        out += str(pieces[0])
    return out, pieces


def repeated(tag: str, pieces: list[str | None], names: Data) -> tuple[str, list[str | None]]:
    """Return the body of a loop, filled once for each value."""
    targets, _, rows = tag.removeprefix("for ").partition(" in ")
    out, rest = "", pieces
    for row in names[rows]:
        each = zip(targets.split(", "), row if ", " in targets else (row,), strict=True)
        text, rest = filled(pieces, names | dict(each))
        out += text
    return out, rest


def value(name: str, names: Data) -> str:
    first, _, rest = name.partition(".")
    return str(names[first][rest] if rest else names[first])


# Both files -----------------------------------------------------------------------------------------------------------


def manifest() -> Data:
    return {
        "format": FORMAT,
        "software": f"deniable {version()}",
        "document": {"/s/": integrity(document())},
        "files": {address(name): value for name, value in pinned().items()},
        "sources": {
            address(name): [[f"{SOURCES}/{source}", source_integrity(source)] for source in modules().get(name, [])]
            for name in pinned()
        },
    }


def text() -> str:
    return written(manifest())


def release(manifest_text: str) -> str:
    """Return version, commit, and the SHA-384 of the manifest, as JSON."""
    digest = hashlib.sha384(manifest_text.encode()).hexdigest()
    return written({"format": RELEASE_FORMAT, "version": version(), "commit": commit(), "manifest": digest})


def written(data: Data) -> str:
    return json.dumps(data, sort_keys=True, indent=1, ensure_ascii=False) + "\n"


# The commit -----------------------------------------------------------------------------------------------------------


def commit() -> str:
    """Return the commit of a checkout, from git's files, or of an archive, from commit.txt, which git writes; else "".
    Only the manifest shows whether files have changed since."""
    git = ROOT / ".git"
    if git.is_file():  # a linked worktree
        git = Path(git.read_text(encoding="utf-8").removeprefix("gitdir:").strip())
    head = line_of(git / "HEAD")
    if not head.startswith("ref: "):
        return head or archived()
    name = head.removeprefix("ref: ")
    common = git / (line_of(git / "commondir") or ".")
    return line_of(git / name) or line_of(common / name) or packed(common / "packed-refs", name)


def packed(path: Path, name: str) -> str:
    every = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return next((line.split()[0] for line in every if line.endswith(f" {name}")), "")


def archived() -> str:
    line = line_of(ROOT / "surveys" / "transparency" / "check" / "commit.txt")
    return "" if line.startswith("$") else line


def line_of(path: Path) -> str:
    return path.read_text(encoding="utf-8").strip() if path.is_file() else ""


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")  # type: ignore[union-attr]
    print(release(text()) if sys.argv[1:] == ["--release"] else text(), end="")
