"""Faults in the served modules. The checks that pass on the real modules must catch each fault.

A fault is a statement at the end of the served module. The statement replaces a function by a faulty one
(`site.serve_with`): the function of a mechanism, or a function with a given name. A small fault calls the real
function.
"""

from tests.support import mechanisms

# name: (mechanism, served module, statement)
BROWSER_FAULTS = {
    f"{name}: {wrong}": (name, *fault)
    for name, home in mechanisms.homes().items()
    for wrong, fault in home.BROWSER_FAULTS.items()
}

# name: (served module, statement); each statement replaces the function that it assigns to.
ROUNDING_FAULTS = {
    "no upper clamp": (
        "exact",
        """gridPoint = (answer, low, high, steps, uniform) => {
          const [x, from, to] = [answer, low, high].map(decimal);
          const scaled = ((x < from ? from : x) - from) * BigInt(steps);
          const threshold = ((scaled % (to - from)) * UNITS) / (to - from);
          return Number(scaled / (to - from)) + (uniform() < Number(threshold) ? 1 : 0);
        };""",
    ),
    "at most instead of less": (
        "exact",
        """{
          const sound = gridPoint;
          gridPoint = (answer, low, high, steps, uniform) => sound(answer, low, high, steps, () => uniform() - 1);
        }""",
    ),
    "a unit less than the whole": (
        "exact",
        """gridPoint = (answer, low, high, steps, uniform) => {
          const [x, from, to] = [answer, low, high].map(decimal);
          const scaled = ((x < from ? from : x > to ? to : x) - from) * BigInt(steps);
          const threshold = ((scaled % (to - from)) * (UNITS - 1n)) / (to - from);
          return Number(scaled / (to - from)) + (uniform() < Number(threshold) ? 1 : 0);
        };""",
    ),
    "six digits only": (
        "rules",
        r"{ const sound = decimal; decimal = (number) => sound(number.replace(/(\.[0-9]{6})[0-9]+/, '$1')); }",
    ),
}
