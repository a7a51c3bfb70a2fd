"""Faults put into copies of the samplers; each must be caught by the same checks that pass on the real ones."""

from types import ModuleType
from typing import NamedTuple

from tests.support import mechanisms
from tests.support.mutation import Edit


class Fault(NamedTuple):
    """A fault in the mechanism by edits of a module: its own, or one that it imports."""

    mechanism: ModuleType
    module: ModuleType
    edits: tuple[Edit, ...]


PYTHON_FAULTS = {
    f"{name}: {wrong}": Fault(sampler, fault.module or sampler, fault.edits)
    for name, home in mechanisms.homes().items()
    for sampler in [mechanisms.sampler(name)]
    for wrong, fault in home.FAULTS.items()
}
