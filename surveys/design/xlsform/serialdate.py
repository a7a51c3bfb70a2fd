"""Dates and times of spreadsheets in the parts of a number format. A date is the days since the last day of 1899, or
since the first of 1904.

It stands beside reader.py, which runs by itself, and imports nothing of the site.
"""

from calendar import day_name, month_name
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal

Part = tuple[str, str]  # "date", "elapsed", "noon", "fraction" or "literal", and its text

_SECONDS = 86_400
_LEAP = 60  # the number of the day 29 February 1900, which spreadsheets have and no calendar does


def text(number: Decimal, parts: list[Part], since_1904: bool) -> str:
    """The parts in English. ValueError where there is no such date, or the parts are of none."""
    if number < 0:
        raise ValueError("a cell shows no date before its first")
    fraction = _fraction_places(parts)
    seconds = (number * _SECONDS).quantize(Decimal(1).scaleb(-fraction), ROUND_HALF_UP)
    day, in_day = divmod(seconds, _SECONDS)
    when, whole = _When(int(day), int(in_day), since_1904), int(seconds)
    is_noon = any(kind == "noon" for kind, _text in parts)
    decimals = iter(f"{seconds % 1:f}".partition(".")[2])
    made = []
    for place, (kind, said) in enumerate(parts):
        if kind == "date" and said[0] == "m" and _is_minutes(parts, place):
            made.append(f"{when.minute:0{min(len(said), 2)}}")
        elif kind == "date":
            made.append(when.part(said, is_noon))
        elif kind == "elapsed":
            made.append(f"{whole // {'h': 3600, 'm': 60, 's': 1}[said[0]]:0{len(said)}}")
        elif kind == "noon":
            half = "AM" if when.hour < 12 else "PM"
            made.append(half if len(said) > 3 else half[0])
        else:
            made.append(next(decimals) if kind == "fraction" else said)
    return "".join(made)


def iso(number: Decimal, since_1904: bool) -> str:
    """The date, the time or both, as ISO 8601 has them; ValueError where there is none."""
    time, dash, colon = number % 1, ("literal", "-"), ("literal", ":")
    day = [("date", "yyyy"), dash, ("date", "mm"), dash, ("date", "dd")]
    clock = [("date", "hh"), colon, ("date", "mm")]
    if round(time * _SECONDS) % 60:
        clock += [colon, ("date", "ss")]
    parts = clock if 0 <= number < 1 and time else [*day, ("literal", " "), *clock] if time else day
    return text(number, parts, since_1904)


class _When:
    def __init__(self, day: int, second: int, since_1904: bool) -> None:
        self._day, self._since_1904 = day, since_1904
        self.hour, self.minute, self.second = second // 3600, second // 60 % 60, second % 60

    def part(self, said: str, is_noon: bool) -> str:
        width = min(len(said), 2)
        if said[0] == "h":
            return f"{(self.hour % 12 or 12) if is_noon else self.hour:0{width}}"
        if said[0] == "s":
            return f"{self.second:0{width}}"
        day = self._date()
        if said[0] == "y":
            return f"{day.year:04}" if len(said) > 2 else f"{day.year % 100:02}"
        number, name = (day.month, month_name[day.month]) if said[0] == "m" else (day.day, day_name[day.weekday()])
        if len(said) == 5 and said[0] == "m":
            return name[0]
        return f"{number:0{width}}" if len(said) < 3 else name[:3] if len(said) == 3 else name

    def _date(self) -> date:
        if self._since_1904:
            return date(1904, 1, 1) + timedelta(days=self._day)
        if self._day in (0, _LEAP):
            raise ValueError("no calendar has this day")
        return date(1899, 12, 31 if self._day < _LEAP else 30) + timedelta(days=self._day)


def _fraction_places(parts: list[Part]) -> int:
    """How many decimals of the seconds are shown. ValueError where decimals stand elsewhere."""
    places = [i for i, (kind, _text) in enumerate(parts) if kind == "fraction"]
    if places and (places != [*range(places[0], places[-1] + 1)] or parts[places[0] - 1] != ("literal", ".")):
        raise ValueError("decimals of no seconds")
    return len(places)


def _is_minutes(parts: list[Part], place: int) -> bool:
    """m and mm are minutes right after hours or right before seconds, and months elsewhere."""
    if len(parts[place][1]) > 2:
        return False
    before = [said[0] for kind, said in parts[:place] if kind in ("date", "elapsed")]
    after = [said[0] for kind, said in parts[place + 1 :] if kind in ("date", "elapsed")]
    return before[-1:] == ["h"] or after[:1] == ["s"]
