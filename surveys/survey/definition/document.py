"""The type of a definition. The API's schema is generated from it.

The annotations are the schema's descriptions. A field that only some definitions or questions have is NotRequired.
"""

from typing import Annotated, NotRequired, TypedDict

from ldp.forms.schema import Draw, Form, Invitations
from ldp.question import Question
from surveys.figures.palette import colour
from surveys.rules import markup
from surveys.rules.languages import TAG
from surveys.rules.origins import ORIGIN
from surveys.survey.definition import accent, completion, frame_hosts
from surveys.survey.definition.relay import KEY
from surveys.survey.definition.relay import NO_KEY as NO_GATEWAY_KEY
from surveys.survey.definition.waves import PATTERNS

# A picture of one pixel.
ONE_PIXEL = "UklGRh4AAABXRUJQVlA4TBEAAAAvAAAAAAfQ//73v/+BiOh/AAA="
FORMAT = 1


class Section(TypedDict):
    """Questions that are asked together."""

    title: str
    text: Annotated[str, "May be empty."]
    questions: Annotated[list[str], "The keys of its questions, in their order.", {"minItems": 1}]


class SectionTexts(TypedDict):
    """A section's texts in another language."""

    title: str
    text: Annotated[str, "Empty where the section has none."]


class QuestionTexts(TypedDict):
    """A question's texts in another language. Yes and no, bins, and "Prefer not to say" are the page's own words."""

    text: str
    note: Annotated[str, "Empty where the question has none."]
    options: NotRequired[Annotated[list[str], "Where they were written: by position, without “Prefer not to say”."]]
    items: NotRequired[list[str]]
    steps: NotRequired[list[str]]
    unit: NotRequired[str]


class Translation(TypedDict):
    """The survey's texts in another language, by position: a text exactly where the survey's own language has one."""

    title: str
    introduction: str
    consent: NotRequired[str]
    thanks: NotRequired[str]
    sections: NotRequired[list[SectionTexts]]
    questions: list[QuestionTexts]


class Wave(TypedDict):
    """The survey that this one follows as the next wave."""

    survey: Annotated[str, "Its slug.", {"pattern": f"^{PATTERNS['survey']}$", "examples": ["travel"]}]
    digest: Annotated[str, "That of its definition.", {"pattern": f"^{PATTERNS['digest']}$", "examples": ["9f" * 32]}]
    alpha: Annotated[
        str,
        "The privacy parameters of it and of all waves before it, added up.",
        {"pattern": f"^{PATTERNS['alpha']}$", "examples": ["2.5"]},
    ]
    delta: NotRequired[
        Annotated[
            str,
            "Their deltas, added up; absent where all of them keep alpha without one.",
            {"pattern": f"^{PATTERNS['delta']}$", "examples": ["0.000001"]},
        ]
    ]


class Relay(TypedDict):
    """The relay that the page sends its report to. It hides the sender from the site (RFC 9458)."""

    origin: Annotated[
        str, "Of the relay.", {"pattern": f"^{ORIGIN.pattern}$", "examples": ["https://relay.example.org"]}
    ]
    key: Annotated[
        str,
        "Of the site's gateway: the byte that names it, and 32 of X25519, in base64url.",
        {"pattern": f"^{KEY}$", "examples": [NO_GATEWAY_KEY]},
    ]


class Accent(TypedDict):
    """The colour of buttons, links and chosen answers: as it was given, and lightened for the dark page."""

    light: Annotated[str, {"pattern": f"^{accent.PATTERN}$", "examples": [colour("accent", "light")]}]
    dark: Annotated[str, {"pattern": f"^{accent.PATTERN}$", "examples": [colour("accent", "dark")]}]


class Picture(TypedDict):
    """One still picture, without metadata."""

    data: Annotated[str, "WebP, in base64.", {"pattern": "^UklGR[A-Za-z0-9+/]+={0,2}$", "examples": [ONE_PIXEL]}]
    width: Annotated[int, "In pixels."]
    height: Annotated[int, "In pixels."]


class PictureWithWords(Picture):
    """A picture with a description in each language, for people who do not see it."""

    alt: Annotated[dict[str, str], "What it shows, by language tag.", {"examples": [{"en": "A bus with a ramp"}]}]


class Pictures(TypedDict):
    """All pictures of a survey; no page asks for one."""

    logo: NotRequired[PictureWithWords]
    questions: NotRequired[Annotated[dict[str, PictureWithWords], "By the key of their question."]]
    options: NotRequired[
        Annotated[
            dict[str, list[Picture | None]], "By the key of their question: by position, without “Prefer not to say”."
        ]
    ]


class Definition(TypedDict):
    """The content that was frozen when the survey opened."""

    format: Annotated[int, {"enum": [FORMAT]}]
    title: str
    introduction: Annotated[str, "May be empty."]
    consent: NotRequired[Annotated[str, "Agreed to before the first question; whether it was is never sent."]]
    thanks: NotRequired[Annotated[str, "Shown after sending."]]
    completion_code: NotRequired[
        Annotated[
            str,
            "Shown to all respondents after sending, to be entered elsewhere.",
            {"pattern": f"^{completion.PATTERNS[completion.CODE]}$", "examples": ["C1A2B3D4"]},
        ]
    ]
    return_link: NotRequired[
        Annotated[
            str,
            "Leads all respondents back after sending, when they follow it.",
            {
                "pattern": f"^{completion.PATTERNS[completion.LINK]}$",
                "examples": ["https://survey.example.org/index.php/123456?part=2"],
            },
        ]
    ]
    frame_hosts: NotRequired[
        Annotated[
            list[Annotated[str, {"pattern": f"^{frame_hosts.PATTERN}$"}]],
            "The origins of the pages that may hold the survey in a frame, where the site lets them.",
            {
                "minItems": 1,
                "maxItems": frame_hosts.MOST,
                "uniqueItems": True,
                "examples": [["https://www.example.org"]],
            },
        ]
    ]
    accent: NotRequired[Annotated[Accent, "Where the page has a colour of its own; the same for all respondents."]]
    sections: NotRequired[Annotated[list[Section], "Every question is in one of them, in the order of questions."]]
    draws: Annotated[list[Draw], "What all respondents are asked; empty where every question is in a form."]
    forms: NotRequired[Annotated[list[Form], "Each browser draws one, and asks its questions too.", {"minItems": 2}]]
    wave_of: NotRequired[Annotated[Wave, "Where the same people are asked again."]]
    invitations: NotRequired[Annotated[Invitations, "Where only invited people can answer, each once."]]
    relay: NotRequired[Annotated[Relay, "Where reports come through a relay."]]
    language: NotRequired[
        Annotated[
            str, "The BCP 47 tag of these texts; without one, English.", {"pattern": f"^{TAG}$", "examples": ["de"]}
        ]
    ]
    translations: NotRequired[Annotated[dict[str, Translation], "By language tag; never of the survey's own language."]]
    markup: NotRequired[
        Annotated[
            int,
            "Where a longer text has bold words, lists or links: by which rules it is shown.",
            {"enum": [markup.NUMBER]},
        ]
    ]
    pictures: NotRequired[Annotated[Pictures, "Where questions or options have pictures, or the survey a logo."]]
    questions: Annotated[list[Question], "In the order in which they are asked."]
