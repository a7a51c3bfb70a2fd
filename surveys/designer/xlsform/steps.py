"""Options that are no steps of a scale: “Don't know”, “Refused”, “Not applicable”, codes such as 98 and 99."""

import re
import unicodedata
from collections.abc import Sequence
from itertools import pairwise

from surveys.rules.texts import INVISIBLE

# Found anywhere in a list. These are whole texts, or texts before a sign: "Did not apply to me at all" is a step.
_PHRASES = (
    r"(?:i )?(?:do not|don'?t|can'?t|cannot|can not) (?:know|say|remember|recall|choose|tell|judge)|dk",
    r"(?:i )?(?:do not|don'?t) (?:want|wish) to (?:say|answer|respond)|(?:unable|hard) to (?:say|tell|answer|judge)",
    r"(?:i(?:'d| would)? )?(?:prefer|rather|choose) not(?: to)? (?:say|state|answer|tell|disclose|respond|share)\b.*",
    r"(?:i )?(?:refus(?:ed?|al)|decline[ds]?)(?: to (?:say|answer))?|unknown",
    r"not (?:stated|asked|answered|relevant|applicable\b.*)",
    r"n ?[./]? ?a\.?|(?:does not|doesn'?t) apply(?: to me)?|no (?:answer|response|reply|idea)",
    r"missing(?: value)?|skip(?:ped)?",
    r"(?:ich )?wei(?:ß|ss) (?:es |ich )?nicht|keine (?:angaben?|antwort)|k\. ?a\.?|n\. ?z\.?|verweigert|entfällt",
    r"nicht (?:zutreffend|anwendbar|beurteilbar)|betrifft mich nicht|lieber nicht \w+",
    r"(?:das )?kann ich nicht (?:sagen|beurteilen|beantworten)",
    r"(?:ich )?möchte (?:ich )?(?:das |es |dazu )?nicht(?:s)? (?:sagen|beantworten|angeben)\b.*",
    r"(?:yo )?no (?:lo )?(?:sé|sabe)|n[so] ?/ ?n[ckr]|no (?:contesta|responde|aplica|corresponde|procede|aplicable)",
    r"(?:prefiero no|prefiro não|preferisco non) \w+.*|non (?:so|lo so|sa|risponde|applicabile)",
    r"(?:je )?ne (?:sai[st] pas|se prononce pas|s'applique pas)|nsp|sans (?:réponse|objet)",
    r"(?:non|pas) (?:applicable|concernée?)|refuse?(?: de répondre)?|ne souhaite pas répondre",
    r"(?:je )?préfère ne pas (?:le )?(?:dire|répondre)\b.*",
    r"não (?:sei|sabe|respondeu|se aplica|aplicável)|recus(?:a|ou)",
    r"bilmiyorum|cevap (?:yok|vermek istemiyorum)|(?:uygun|geçerli) değil|uygulanamaz|reddetti",
    r"(?:söylemek|belirtmek) istemiyorum|не ?(?:знаю|применимо)|нет ответа|отказ.*|затрудняюсь.*",
    r"nie (?:wiem|dotyczy)|odmowa|nevím|nem tudom",
    r"v(?:et|ed) (?:ej|inte|ikke)|(?:ej|inte) aktuellt|en osaa sanoa",
    r"δεν (?:ξέρω|απαντώ)|לא (?:יודע.*|רלוונטי)",
    r"niet van toepassing|n\. ?v\. ?t\.?|weet (?:ik )?niet|geen (?:antwoord|mening)|लागू नहीं.*|(?:मुझे )?पता नहीं",
    r"لا (?:أعرف|اعرف|أدري|ادري|ينطبق|إجابة|أعلم|رأي).*|(?:أفضل|افضل) عدم.*|أ?رفض.*|نمی ?دانم",
    r"غير (?:منطبق|قابل للتطبيق|معني)",
    r"不知道|不清楚|说不清|說不清|拒绝.*|拒絕.*|拒答|不适用|不適用|不[想愿願](?:意)?(?:回答|说|說).*|[无無]法回答",
    r"該当(?:なし|しない)|わからない|分からない|答えたくない|回答しない|無回答|해당 ?없음|모름|모르겠.*|응답 ?거부",
)
# Found at an end of a list. Elsewhere they may be the middle step.
_AT_ENDS = (
    r"(?:i am |i'm )?(?:not sure|unsure|undecided)|no opinion|keine meinung|sin opinión|sans opinion|sem opinião"
    r"|fikrim yok|不确定|不確定|无意见|無意見"
)
_AFTER = r"(?:\s*[/,;:(\[–—-].*)?"
_WORDS = re.compile(f"(?:{'|'.join(_PHRASES)}){_AFTER}", re.IGNORECASE | re.DOTALL)
_END_WORDS = re.compile(f"(?:{_AT_ENDS}){_AFTER}", re.IGNORECASE | re.DOTALL)
_CODE_WORDS = re.compile(
    r"dk|do?nt_?know|don'?t_know|do_not_know|n_?a|n/a|not_?applicable|ref|refused?|pnts|prefer_?not.*|no_?answer|nsp",
    re.IGNORECASE,
)
_CODE = re.compile(r"-?(?:[789]{1,4}|9[0-9]|99[0-9])|-[1-9]", re.ASCII)
_WHOLE = re.compile(r"-?[0-9]{1,6}", re.ASCII)
# A whole number after a list's name, as in l_99, or with decimals.
_NUMBERED = re.compile(r"(?:[A-Za-z]\w*?)?(-?[0-9]{1,6})(?:\.0+)?", re.ASCII)
_BEFORE = re.compile(r"^-?[0-9]{1,4}\s*[-–.:=)]\s*(?=\D)")
_UNSEEN = re.compile(f"[{INVISIBLE}\u064b-\u0652]")  # includes the Arabic vowels


def no_steps(texts: Sequence[str], codes: Sequence[str]) -> list[int]:
    """Return the positions of the options that are no steps."""
    codes = [_NUMBERED.sub(r"\1", code) if _NUMBERED.fullmatch(code) else code for code in codes]
    apart = _apart(codes)
    ends = _ends(texts, codes, apart)
    return [i for i, text in enumerate(texts) if _is_none(text, codes[i]) or i in apart or i in ends]


def _is_none(text: str, code: str) -> bool:
    return bool(_WORDS.fullmatch(_plain(text)) or _CODE_WORDS.fullmatch(code))


def _plain(text: str) -> str:
    seen = _UNSEEN.sub("", unicodedata.normalize("NFKC", text)).replace("\u2019", "'")
    return _BEFORE.sub("", " ".join(seen.split()).strip(" .!*()[]"))


def _ends(texts: Sequence[str], codes: Sequence[str], apart: set[int]) -> set[int]:
    """Return the positions of the options at the ends of the list that are no steps there."""
    made: set[int] = set()
    for places in (range(len(texts)), range(len(texts) - 1, -1, -1)):
        for i in places:
            if _END_WORDS.fullmatch(_plain(texts[i])):
                made.add(i)
            elif not _is_none(texts[i], codes[i]) and i not in apart:
                break
    return made


def _apart(codes: Sequence[str]) -> set[int]:
    """Return the positions of codes such as 99 or -1. Their distance from the other codes is larger than any gap
    between those."""
    if not all(map(_WHOLE.fullmatch, codes)):
        return set()
    by_number = {int(code): i for i, code in enumerate(codes)}
    made: set[int] = set()
    for sign in (1, -1):
        numbers = sorted(sign * number for number in by_number)
        kept = [number for number in numbers if not _CODE.fullmatch(str(sign * number))]
        for number in numbers:
            if number in kept or not kept or number < kept[-1] or (sign < 0) != (sign * number < 0):
                continue
            if number - kept[-1] > max([1, *(high - low for low, high in pairwise(kept))]):
                made.add(by_number[sign * number])
            else:
                kept.append(number)
    return made
