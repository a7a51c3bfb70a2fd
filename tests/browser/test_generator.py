"""A generator that repeats itself stops the page: it asks nothing, or sends nothing (P1)."""

import json

import pytest

from tests.support.respondents import Visit
from tests.support.site import open_blank, open_with

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

# Generators whose words differ from the real one's. Each is the body of a function that fills the array. `real` fills
# it properly, `calls` counts the calls so far, `next` gives a sound sequence's words one by one.
BROKEN = {
    "always 0": "return array.fill(0)",
    "always 1s": "return array.fill(0xffffffff)",
    "a counter of 16 bits": "return array.map(() => count++ % 65536)",
    "bytes for words": "return real(array).map((word) => word & 0xff)",
    "no sign": "return real(array).map((word) => word >>> 1)",
    "the same with every call": "return array.map((_, i) => sequence[i])",
    "a cycle of one word": "return array.map(() => sequence[0])",
    "a cycle of 3 words": "return array.map(() => sequence[count++ % 3])",
    "a cycle of 64 words": "return array.map(() => sequence[count++ % 64])",
    "a cycle of 255 words": "return array.map(() => sequence[count++ % 255])",
    "nothing": "return array",
}
LATE = {
    "stuck after the questions": "return loaded ? array.map((_, i) => sequence[i]) : real(array)",
    "stuck after the first words": "return calls > 4 ? array.map((_, i) => sequence[i]) : real(array)",
    "a cycle that begins late": "return calls > 6 ? array.map(() => sequence[count++ % 16]) : real(array)",
}
INJECT = """
  const real = crypto.getRandomValues.bind(crypto);
  const sequence = real(new Uint32Array(1024));
  let [count, calls, loaded] = [0, 0, false];
  addEventListener("input", () => { loaded = true; }, true);
  crypto.getRandomValues = (array) => { calls += 1; %s; };
"""
REFUSAL = "This browser's random numbers are not working"


# The page shows the same for all of them. Daily, the test below checks that it notices the others too.
AT_THE_PAGE = ("always 0", "a cycle of 255 words")


@pytest.mark.parametrize(
    "fault", [pytest.param(each, marks=() if each in AT_THE_PAGE else pytest.mark.long) for each in BROKEN]
)
def test_with_a_generator_that_repeats_itself_nothing_is_asked(page, survey, fault):
    page.add_init_script(INJECT % BROKEN[fault])
    visit = Visit(page, survey)
    page.goto(survey.page)
    visit.sees(REFUSAL)
    assert not visit.is_asking and visit.posts == [] and visit.stored == []


@pytest.mark.parametrize("fault", LATE)
def test_with_one_that_begins_to_repeat_itself_nothing_is_sent(page, survey, fault):
    page.add_init_script(INJECT % LATE[fault])
    visit = Visit(page, survey).load().answer().send()
    visit.sees(REFUSAL)
    visit.sees("nothing has been sent")
    assert visit.posts == [] and visit.stored == [] and visit.chosen == []
    page.reload()
    page.locator("#promise, #outcome").wait_for()
    assert "kept" not in json.dumps(visit.stored)


SOUND = """async () => {
  const { chanceIsSound } = await import("/static/respond/generator.js");
  const sound = crypto.getRandomValues;
  return [%s].map((breaks) => {
    breaks();
    const found = chanceIsSound();
    crypto.getRandomValues = sound;
    return found;
  });
}"""


def test_every_generator_that_repeats_itself_is_noticed_before_anything_is_asked(page, system):
    """The page's calls before its first question are enough to notice it."""
    open_blank(page, system.url)
    given = ", ".join(f"() => {{ {INJECT % each} }}" for each in [*BROKEN.values(), "return real(array)"])
    assert page.evaluate(SOUND % given) == [False] * len(BROKEN) + [True]


# Words of a sound generator: no alarm comes, and some of the words are used.
WORDS = """async () => {
  const { browserWords } = await import("/static/respond/generator.js");
  const real = crypto.getRandomValues.bind(crypto);
  const given = [];
  crypto.getRandomValues = (array) => { real(array); given.push([...array]); return array; };
  const words = browserWords();
  const used = Array.from({ length: 40000 }, words);
  crypto.getRandomValues = real;
  return { first: given[0].length, used, blocks: given.slice(1) };
}"""


def test_a_sound_generator_is_used_word_for_word_and_never_those_that_were_looked_at(page, system):
    open_blank(page, system.url)
    drawn = page.evaluate(WORDS)
    assert drawn["first"] == 1024 and {len(block) for block in drawn["blocks"]} == {8}
    assert drawn["used"] == [word for block in drawn["blocks"] for word in block[4:]]
    assert all(type(word) is int and 0 <= word < 2**32 for word in drawn["used"])
    assert len(set(drawn["used"])) > 39_900  # 40,000 of 2^32: even 100 repeats would have a chance below 10^-100


@pytest.mark.parametrize(
    ("statement", "broken"),
    [
        ("look = () => {};", "return array.map(() => sequence[count++ % 64])"),
        ("everyBitVaries = () => true;", "return real(array).map((word) => word >>> 1)"),
    ],
)
def test_faults_in_the_watch_are_caught(page, system, statement, broken):
    page.add_init_script(INJECT % broken)
    open_with(page, system.url, "generator", statement)
    asked = """async () => {
      const { browserWords } = await import("/static/respond/generator.js");
      const words = browserWords();
      for (let i = 0; i < 400; i += 1) words();
      return true;
    }"""
    assert page.evaluate(asked), "without this check nobody notices"
