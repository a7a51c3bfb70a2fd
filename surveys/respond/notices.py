"""What the page says before its modules run, or where there is nothing for them to ask: in each of the survey's
languages that the page speaks, one after the other, so that everybody is served the same page. The modules then show
one of them.
"""

from collections.abc import Mapping
from typing import Any

from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from surveys.context import Context
from surveys.definition.languages import language_of, languages_of
from surveys.rules.languages import direction, page_language, page_tag

NOTICES = {"closed": "respond/closed.html", "early": "respond/early.html"}
PREPARING = "respond/preparing.html"
# The oldest engines that have all that the page's modules use (docs/accessibility.md); respond.css finds them by the
# property accent-color, which came with the same versions.
MINIMUM = "Chrome 93, Edge 93, Firefox 92, Safari 15.4"

WORDS = {
    "en": {
        "closed": "This survey is closed",
        "closed_why": "It no longer takes answers, so there is nothing to fill in here. Thank you for your visit.",
        "results": "See the results",
        "early": "This survey has not begun",
        "begins": "It begins on",
        "until": "Please load this page again then. Until then there is nothing to fill in, and nothing is sent "
        "or stored.",
        "noscript": "This survey needs JavaScript",
        "noscript_why": "This page randomizes your answers inside your browser before it sends anything, and needs "
        "JavaScript for it. While JavaScript is off, the page shows no form, so that nobody can send an answer that "
        "was not randomized.",
        "noscript_what": "To take part, turn JavaScript on for this site and load the page again. Until then "
        "nothing is sent.",
        "preparing": "Preparing the survey",
        "preparing_what": "The page is checking its own files and the questions.",
        "stuck": "The survey has not begun",
        "stuck_why": "A file of this page has not arrived, or is not the file that it should be. So no question is "
        "shown. A report that you sent earlier is not affected. On a slow connection wait a little longer, or:",
        "reload": "Load this page again",
        "old": "This browser is too old for this survey",
        "old_why": f"This page needs {MINIMUM} or a newer browser. In this browser no question is shown and nothing "
        "is sent. Please update it, or open the same address in another one.",
    },
    "de": {
        "closed": "Diese Umfrage ist geschlossen",
        "closed_why": "Sie nimmt keine Antworten mehr an, deshalb gibt es hier nichts auszufüllen. Vielen Dank für "
        "Ihren Besuch.",
        "results": "Zu den Ergebnissen",
        "early": "Diese Umfrage hat noch nicht begonnen",
        "begins": "Sie beginnt:",
        "until": "Laden Sie diese Seite dann noch einmal. Bis dahin gibt es nichts auszufüllen, und nichts wird "
        "gesendet oder aufbewahrt.",
        "noscript": "Diese Umfrage braucht JavaScript",
        "noscript_why": "Diese Seite verändert Ihre Antworten zufällig in Ihrem Browser, bevor sie etwas sendet. "
        "Dafür braucht sie JavaScript. Solange JavaScript ausgeschaltet ist, zeigt sie kein Formular, damit niemand "
        "eine unveränderte Antwort senden kann.",
        "noscript_what": "Um teilzunehmen, schalten Sie JavaScript für diese Website ein und laden die Seite "
        "noch einmal. Bis dahin wird nichts gesendet.",
        "preparing": "Die Umfrage wird vorbereitet",
        "preparing_what": "Die Seite prüft ihre eigenen Dateien und die Fragen.",
        "stuck": "Die Umfrage hat nicht begonnen",
        "stuck_why": "Eine Datei dieser Seite ist nicht angekommen oder ist nicht die, die sie sein sollte. Deshalb "
        "zeigt die Seite keine Fragen. Eine früher gesendete Meldung ist davon nicht betroffen. Warten Sie bei einer "
        "langsamen Verbindung noch etwas, oder:",
        "reload": "Diese Seite neu laden",
        "old": "Dieser Browser ist zu alt für diese Umfrage",
        "old_why": f"Diese Seite braucht {MINIMUM} oder einen neueren Browser. In diesem Browser zeigt sie keine "
        "Fragen und sendet nichts. Bitte aktualisieren Sie ihn, oder öffnen Sie dieselbe Adresse in einem anderen.",
    },
    "ar": {
        "closed": "هذا الاستبيان مغلق",
        "closed_why": "لم يعد يستقبل إجابات، فلا شيء هنا لملئه. شكرًا على زيارتك.",
        "results": "عرض النتائج",
        "early": "لم يبدأ هذا الاستبيان بعد",
        "begins": "يبدأ:",
        "until": "يُرجى تحميل هذه الصفحة من جديد عندئذٍ. وحتى ذلك الحين لا شيء هنا لملئه، ولا يُرسل أو يُحفظ أي شيء.",
        "noscript": "يحتاج هذا الاستبيان إلى JavaScript",
        "noscript_why": "تُغيِّر هذه الصفحة إجاباتك عشوائيًا داخل متصفحك قبل إرسال أي شيء، وذلك بواسطة "
        "JavaScript. وما دامت معطّلة فلا يوجد هنا نموذج، حتى لا تُرسل سهوًا إجابة لم تُغيَّر عشوائيًا.",
        "noscript_what": "للمشاركة يُرجى تفعيل JavaScript لهذا الموقع وتحميل الصفحة من جديد. وحتى ذلك الحين لا "
        "يُرسل أي شيء.",
        "preparing": "جارٍ تحضير الاستبيان",
        "preparing_what": "تتحقق الصفحة من ملفاتها ومن الأسئلة.",
        "stuck": "لم يبدأ الاستبيان",
        "stuck_why": "لم يصل أحد ملفات هذه الصفحة، أو أنه ليس الملف الصحيح، ولذلك لا تعرض الصفحة أي سؤال. ولا يؤثر هذا "
        "في تقرير أُرسل من قبل. إذا كان الاتصال بطيئًا فيُرجى الانتظار قليلًا، أو:",
        "reload": "إعادة تحميل هذه الصفحة",
        "old": "هذا المتصفح قديم جدًا لهذا الاستبيان",
        "old_why": f"تحتاج هذه الصفحة إلى \u2068{MINIMUM}\u2069 أو متصفح أحدث. في هذا المتصفح لا تعرض الصفحة أي سؤال "
        "ولا ترسل شيئًا. يُرجى تحديثه، أو فتح العنوان نفسه في متصفح آخر.",
    },
}


def language_context(definition: Mapping[str, Any]) -> Context:
    """What the template needs of the survey's languages; `said` are those of the page, each once."""
    own = language_of(definition)
    return {
        "language": own,
        "direction": direction(own),
        "page_language": page_tag(own),
        "page_direction": direction(page_tag(own)),
        "languages": " ".join(languages_of(definition)),
        "said": list(dict.fromkeys(map(page_tag, languages_of(definition)))),
    }


def notices(tags: list[str], context: Context) -> SafeString:
    return mark_safe("".join(notice(tag, direction(tag), WORDS[page_language(tag)], context) for tag in tags))


def notice(tag: str, its_direction: str, words: dict[str, str], context: Context) -> str:
    """The notice for the page's state in one language."""
    template = NOTICES.get(context["state"], PREPARING)
    return render_to_string(template, context | {"tag": tag, "tag_direction": its_direction, "words": words})
