"""Options that are no steps of a scale: “Don't know”, “Refused”, “Not applicable”, codes such as 98 and 99."""

import re
from collections.abc import Sequence
from itertools import pairwise

# Anywhere in a list. Whole texts, or texts before a sign: "Did not apply to me at all" is a step.
_PHRASES = (
    r"(?:i )?(?:do not|don'?t|can'?t|cannot|can not) (?:know|say|remember|recall|choose)|dk",
    r"(?:i )?(?:would )?(?:prefer|rather) not(?: to)? (?:say|answer|tell|disclose|respond|share)\b.*",
    r"(?:i )?(?:refused?|decline[ds]?)(?: to (?:say|answer))?|not (?:stated|asked)|unknown",
    r"not applicable(?: to me)?|n ?/? ?a|(?:does not|doesn'?t) apply(?: to me)?|no (?:answer|response|reply)",
    r"missing(?: value)?|skip(?:ped)?",
    r"(?:ich )?wei(?:ß|ss) (?:es )?nicht|keine (?:angaben?|antwort)|k\. ?a\.?|nicht zutreffend|verweigert|entfällt",
    r"(?:ich )?möchte (?:das |es |dazu )?nicht(?:s)? (?:sagen|beantworten|angeben)\b.*",
    r"(?:yo )?no (?:lo )?(?:sé|sabe)|n[so] ?/ ?n[ckr]|no (?:contesta|responde|aplica|corresponde)",
    r"prefiero no (?:decir|responder|contestar)\b.*|prefiro não (?:dizer|responder)\b.*",
    r"(?:je )?ne sai[st] pas|nsp|sans (?:réponse|objet)|non (?:applicable|concernée?)|refus",
    r"(?:je )?préfère ne pas (?:le )?(?:dire|répondre)\b.*",
    r"não (?:sei|sabe|respondeu|se aplica)|recus(?:a|ou)",
    r"bilmiyorum|cevap (?:yok|vermek istemiyorum)|uygun değil|(?:söylemek|belirtmek) istemiyorum|reddetti",
    r"لا (?:أعرف|اعرف|أدري|ادري|ينطبق|إجابة|أعلم)|(?:أفضل|افضل) عدم.*|رفض.*|غير منطبق",
    r"不知道|不清楚|说不清|說不清|拒绝.*|拒絕.*|拒答|不适用|不適用|不[想愿願](?:意)?(?:回答|说|說).*|[无無]法回答",
)
# At an end of a list; between others it may be the step in the middle.
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


def no_steps(texts: Sequence[str], codes: Sequence[str]) -> list[int]:
    """The positions of the options that are no steps."""
    apart = _apart(codes)
    ends = _ends(texts, codes, apart)
    return [i for i, text in enumerate(texts) if _is_none(text, codes[i]) or i in apart or i in ends]


def _is_none(text: str, code: str) -> bool:
    return bool(_WORDS.fullmatch(_plain(text)) or _CODE_WORDS.fullmatch(code))


def _plain(text: str) -> str:
    return " ".join(text.replace("\u2019", "'").split()).strip(" .!*")


def _ends(texts: Sequence[str], codes: Sequence[str], apart: set[int]) -> set[int]:
    """The options at the ends of the list that are no steps there."""
    made: set[int] = set()
    for places in (range(len(texts)), range(len(texts) - 1, -1, -1)):
        for i in places:
            if _END_WORDS.fullmatch(_plain(texts[i])):
                made.add(i)
            elif not _is_none(texts[i], codes[i]) and i not in apart:
                break
    return made


def _apart(codes: Sequence[str]) -> set[int]:
    """The positions of codes such as 99 or -1, which are farther from the others than these are from each other."""
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
