"""The frame of every page of the lab: the form of numbers, and links that contain them."""

from surveys.figures import numerals
from surveys.public.lab.curves.numbers import Numbers
from surveys.public.lab.inputs import NumbersInput, address
from surveys.public.lab.rooms import ROOMS, Room
from surveys.rules.context import Context


def words(numbers: Numbers) -> dict[str, str]:
    return {
        "n_text": numerals.count(numbers.n),
        "alpha_text": f"{numbers.alpha:g}",
        "level_text": numerals.percent(numbers.confidence),
    }


def frame(room: Room | None, form: NumbersInput) -> Context:
    """Return the context of every page of the lab: its fields, and links to other pages with the numbers. A refused
    field of another page appears here, too, so that the reader can correct it."""
    query = address(form)
    shown = (*room.fields, *(name for name in form.errors if name not in room.fields)) if room else ()
    return {
        "room": room,
        "rooms": [{"label": other.label, "name": other.name} for other in ROOMS.values()],
        "query": f"?{query}" if query else "",
        "fields": [form[name] for name in shown],
        "carried": [(name, text) for name, text in form.data.items() if name not in shown and address(form, (name,))],
        "steps": [
            {"label": label, "links": [_link(form, name, value) for value in values]}
            for name, label, values in (room.steps if room else ())
        ],
    }


def _link(form: NumbersInput, name: str, value: str) -> Context:
    """Return a link that changes one number, for readers who do not type."""
    text = numerals.integer(int(value)) if name in ("n", "times") else value
    current = str(form.data[name]) == value
    return {"text": text, "query": address(form, changed={name: value}), "current": current}
