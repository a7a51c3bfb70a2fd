"""Dates and times of spreadsheets by the parts of a number format. A date is stored as days since the last day of 1899,
or since the first day of 1904.

It runs in reader.py's process, and imports only site modules that run there too.
"""

from calendar import day_name, month_name
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal

FormatPart = tuple[str, str]  # "unit", "elapsed", "noon", "fraction" or "literal", and its text

_SECONDS = 86_400
_END = 2_958_466  # the day after 31 December 9999, counted from 1900
_LEAP = 60  # 29 February 1900, a day that exists in spreadsheets only


def text(number: Decimal, parts: list[FormatPart], since_1904: bool) -> str:
    """Return the parts in English. Raise ValueError for an impossible date or parts that are no date's."""
    if not 0 <= number < _END:
        raise ValueError("a cell shows no date before its first or after its last")
    fraction = _fraction_places(parts)
    seconds = (number * _SECONDS).quantize(Decimal(1).scaleb(-fraction), ROUND_HALF_UP)
    day, in_day = divmod(seconds, _SECONDS)
    when, whole = _When(int(day), int(in_day), since_1904), int(seconds)
    is_noon = any(kind == "noon" for kind, _text in parts)
    decimals = iter(f"{seconds % 1:f}".partition(".")[2])
    made = []
    for place, (kind, code) in enumerate(parts):
        if kind == "unit" and code[0] == "m" and _is_minutes(parts, place):
            made.append(f"{when.minute:0{min(len(code), 2)}}")
        elif kind == "unit":
            made.append(when.part(code, is_noon))
        elif kind == "elapsed":
            made.append(f"{whole // {'h': 3600, 'm': 60, 's': 1}[code[0]]:0{len(code)}}")
        elif kind == "noon":
            half = "AM" if when.hour < 12 else "PM"
            made.append(half if len(code) > 3 else half[0])
        else:
            made.append(next(decimals) if kind == "fraction" else code)
    return "".join(made)


def iso(number: Decimal, since_1904: bool) -> str:
    """Return the date, the time or both in ISO 8601. Raise ValueError if there is none."""
    time, dash, colon = number % 1, ("literal", "-"), ("literal", ":")
    day = [("unit", "yyyy"), dash, ("unit", "mm"), dash, ("unit", "dd")]
    clock = [("unit", "hh"), colon, ("unit", "mm")]
    if round(time * _SECONDS) % 60:
        clock += [colon, ("unit", "ss")]
    parts = clock if 0 <= number < 1 and time else [*day, ("literal", " "), *clock] if time else day
    return text(number, parts, since_1904)


class _When:
    def __init__(self, day: int, second: int, since_1904: bool) -> None:
        self._day, self._since_1904 = day, since_1904
        self.hour, self.minute, self.second = second // 3600, second // 60 % 60, second % 60

    def part(self, code: str, is_noon: bool) -> str:
        width = min(len(code), 2)
        if code[0] == "h":
            return f"{(self.hour % 12 or 12) if is_noon else self.hour:0{width}}"
        if code[0] == "s":
            return f"{self.second:0{width}}"
        day = self._date()
        if code[0] == "y":
            return f"{day.year:04}" if len(code) > 2 else f"{day.year % 100:02}"
        # Days of the week follow the stored number, so before March 1900 they differ from the calendar's.
        weekday = day_name[(self._day + (4 if self._since_1904 else 5)) % 7]
        number, name = (day.month, month_name[day.month]) if code[0] == "m" else (day.day, weekday)
        if len(code) == 5 and code[0] == "m":
            return name[0]
        return f"{number:0{width}}" if len(code) < 3 else name[:3] if len(code) == 3 else name

    def _date(self) -> date:
        if self._since_1904:
            return date(1904, 1, 1) + timedelta(days=self._day)
        if self._day in (0, _LEAP):
            raise ValueError("no calendar has this day")
        return date(1899, 12, 31 if self._day < _LEAP else 30) + timedelta(days=self._day)


def _fraction_places(parts: list[FormatPart]) -> int:
    """Return the number of decimals of the seconds. Raise ValueError for decimals of anything else."""
    places = [i for i, (kind, _text) in enumerate(parts) if kind == "fraction"]
    if places and (places != [*range(places[0], places[-1] + 1)] or parts[places[0] - 1] != ("literal", ".")):
        raise ValueError("decimals of no seconds")
    return len(places)


def _is_minutes(parts: list[FormatPart], place: int) -> bool:
    """Return whether m or mm means minutes: right after hours or right before seconds. Elsewhere it means months."""
    if len(parts[place][1]) > 2:
        return False
    before = [code[0] for kind, code in parts[:place] if kind in ("unit", "elapsed")]
    after = [code[0] for kind, code in parts[place + 1 :] if kind in ("unit", "elapsed")]
    return before[-1:] == ["h"] or after[:1] == ["s"]
