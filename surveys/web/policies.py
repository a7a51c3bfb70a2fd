"""Headers that limit a page: strict policies for every response, and exceptions for some pages."""

from django.conf import settings


def _content(
    images: str = "'self' data:",
    connect: str = "'self'",
    fonts: str = "",
    forms: str = "'none'",
    ancestors: str = "'none'",
    more: str = "",
) -> str:
    """Return a Content-Security-Policy that allows this site's files and the named additions."""
    kept = f"default-src 'none'; script-src 'self'; style-src 'self'; img-src {images}; connect-src {connect}; "
    kept += f"font-src {fonts}; " if fonts else ""
    return f"{kept}base-uri 'none'; form-action {forms}; frame-ancestors {ancestors}{more}"


# The default.
CONTENT = _content(fonts="'self'", forms="'self'")
# For pages that show the respondent's page in a frame.
WITH_PREVIEW = _content(fonts="'self'", forms="'self'", more="; frame-src 'self'")
_NO_MARKUP = "; require-trusted-types-for 'script'; trusted-types 'none'"
# The page may connect to all relays of this site (RFC 9458), and all sites in FRAME_HOSTS may frame it, because it is
# the same for all surveys. It connects only to its survey's relay, and asks in a frame only if its survey names the
# site (framed.js).
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
# Sent with documents only. Elsewhere these 700 bytes have no meaning and cost time on slow networks.
OF_DOCUMENTS = {"Permissions-Policy"}
RESPONDENTS_PAGE = {
    "Content-Security-Policy": RESPONDENT,
    # Browsers with this policy run only scripts whose integrity values are in the page.
    "Integrity-Policy": "blocked-destinations=(script)",
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex, nofollow",
}


def preview(*addresses: str) -> dict[str, str]:
    """Return the headers of the respondents' page as a preview. Only this site's pages may frame it. It may connect
    only to these URLs; the first is its definition's."""
    content = _content(images="'self'", connect=" ".join(addresses), ancestors="'self'", more=_NO_MARKUP)
    return RESPONDENTS_PAGE | {"Content-Security-Policy": content, "X-Frame-Options": "SAMEORIGIN"}


def printed(style: str) -> str:
    """Return the policy of a printed document. It allows only the document's style, whose hash is `style`."""
    return f"default-src 'none'; style-src {style}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
