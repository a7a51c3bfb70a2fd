"""What browsers are told that a page may do: the strict policies of every response, and what some pages need."""

from django.conf import settings


def _content(
    images: str = "'self' data:",
    connect: str = "'self'",
    fonts: str = "",
    forms: str = "'none'",
    ancestors: str = "'none'",
    more: str = "",
) -> str:
    """A Content-Security-Policy: nothing but this site's own files, and what is named."""
    kept = f"default-src 'none'; script-src 'self'; style-src 'self'; img-src {images}; connect-src {connect}; "
    kept += f"font-src {fonts}; " if fonts else ""
    return f"{kept}base-uri 'none'; form-action {forms}; frame-ancestors {ancestors}{more}"


# Where a page says nothing else.
CONTENT = _content(fonts="'self'", forms="'self'")
# Shows the respondent's page in a frame.
WITH_PREVIEW = _content(fonts="'self'", forms="'self'", more="; frame-src 'self'")
_NO_MARKUP = "; require-trusted-types-for 'script'; trusted-types 'none'"
# Beside this site the relays through which reports come to it (RFC 9458): the page is the same for all surveys, and one
# that names a relay has its page connect to no other.
# It is the same for all who may hold it in a frame, too: there it asks only where its survey names them (framed.js).
RESPONDENT = _content(
    images="'self'",
    connect=" ".join(["'self'", *settings.RELAYS]),
    ancestors=" ".join(settings.FRAME_HOSTS) or "'none'",
    more=_NO_MARKUP,
)

DENIED = (
    "accelerometer", "autoplay", "browsing-topics", "camera", "display-capture",
    "encrypted-media", "fullscreen", "geolocation", "gyroscope", "hid", "identity-credentials-get",
    "idle-detection", "local-fonts", "magnetometer", "microphone", "midi", "payment", "picture-in-picture",
    "publickey-credentials-get", "screen-wake-lock", "serial", "usb", "xr-spatial-tracking",
)  # fmt: skip
DEFAULTS = {
    "Content-Security-Policy": CONTENT,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": ", ".join(f"{feature}=()" for feature in DENIED),
    "X-Content-Type-Options": "nosniff",
}
# What only a document can make use of: elsewhere its 700 bytes would be waited for on slow networks, and mean nothing.
OF_DOCUMENTS = {"Permissions-Policy"}
RESPONDENTS_PAGE = {
    "Content-Security-Policy": RESPONDENT,
    # No script runs that the page does not name with its fingerprint, in browsers that know this.
    "Integrity-Policy": "blocked-destinations=(script)",
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex, nofollow",
}


def preview(*addresses: str) -> dict[str, str]:
    """The headers of the respondents' page as a preview: it may be framed by this site's own pages, and may connect to
    these addresses alone, first that of its definition."""
    content = _content(images="'self'", connect=" ".join(addresses), ancestors="'self'", more=_NO_MARKUP)
    return RESPONDENTS_PAGE | {"Content-Security-Policy": content, "X-Frame-Options": "SAMEORIGIN"}


def printed(style: str) -> str:
    """The policy of a document for people that holds its own style and nothing else; `style` is its fingerprint."""
    return f"default-src 'none'; style-src {style}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
