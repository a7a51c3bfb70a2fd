"""What the page says before its modules run, or where they do not: in each language that it speaks, one after the
other, so that everybody is served the same page. The modules then show one of them.
"""

from surveys.rules.languages import direction

# The oldest engines that have all that the page's modules use (docs/accessibility.md); respond.css finds them by the
# property accent-color, which came with the same versions.
MINIMUM = "Chrome 93, Edge 93, Firefox 92, Safari 15.4"

WORDS = {
    "en": {
        "name": "Survey",
        "noscript": "This survey needs JavaScript",
        "noscript_why": "It randomizes your answers inside your browser before anything is sent. Without JavaScript "
        "there is no form, so that no answer is sent as it is. Turn it on and load this page again.",
        "preparing": "Preparing the survey",
        "stuck": "The survey has not begun",
        "stuck_why": "A file of this page has not arrived, or is not the right one. A report that you sent earlier "
        "is not affected. On a slow connection wait a little longer; otherwise load this page again.",
        "check": "Check this site",
        "old": "This browser is too old for this survey",
        "old_why": f"This page needs {MINIMUM} or a newer browser. Please update yours, or open the same link in "
        "another one. Nothing has been sent.",
    },
    "de": {
        "name": "Umfrage",
        "noscript": "Diese Umfrage braucht JavaScript",
        "noscript_why": "Sie verändert Ihre Antworten zufällig in Ihrem Browser, bevor etwas gesendet wird. "
        "Ohne JavaScript gibt es kein Formular, damit niemand eine unveränderte Antwort sendet. Schalten Sie es "
        "ein und laden diese Seite neu.",
        "preparing": "Die Umfrage wird vorbereitet",
        "stuck": "Die Umfrage hat nicht begonnen",
        "stuck_why": "Eine Datei dieser Seite ist nicht angekommen oder nicht die richtige. Eine früher gesendete "
        "Meldung ist davon nicht betroffen. Warten Sie bei langsamer Verbindung noch etwas. Sonst laden Sie "
        "diese Seite neu.",
        "check": "Diese Website prüfen",
        "old": "Dieser Browser ist zu alt für diese Umfrage",
        "old_why": f"Diese Seite braucht {MINIMUM} oder einen neueren Browser. Bitte aktualisieren Sie Ihren, oder "
        "öffnen Sie denselben Link in einem anderen. Es wurde nichts gesendet.",
    },
    "ar": {
        "name": "استبيان",
        "noscript": "يحتاج هذا الاستبيان إلى JavaScript",
        "noscript_why": "تُغيَّر إجاباتك عشوائيًا داخل متصفحك قبل إرسال أي شيء. وما دامت JavaScript معطّلة فلا "
        "يوجد هنا نموذج، حتى لا تُرسل إجابة لم تُغيَّر عشوائيًا. للمشاركة يُرجى تفعيلها وإعادة تحميل هذه الصفحة.",
        "preparing": "جارٍ تحضير الاستبيان",
        "stuck": "لم يبدأ الاستبيان",
        "stuck_why": "لم يصل أحد ملفات هذه الصفحة، أو أنه ليس الملف الصحيح. ولا يؤثر هذا في تقرير أُرسل من قبل. "
        "إذا كان الاتصال بطيئًا فيُرجى الانتظار قليلًا، وإلا فيُرجى إعادة تحميل هذه الصفحة.",
        "check": "تحقق من الموقع",
        "old": "هذا المتصفح قديم جدًا لهذا الاستبيان",
        "old_why": f"تحتاج هذه الصفحة إلى \u2068{MINIMUM}\u2069 أو متصفح أحدث. يُرجى تحديثه، أو فتح الرابط نفسه في "
        "متصفح آخر. لم يُرسل أي شيء.",
    },
}

# The page's name until it has one.
NAMES = " · ".join(words["name"] for words in WORDS.values())


def notices() -> list[tuple[str, str, dict[str, str]]]:
    """The tag of each language, how it is written, and the words."""
    return [(tag, direction(tag), words) for tag, words in WORDS.items()]
