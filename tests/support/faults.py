"""Faults in copies of the samplers. The checks that pass on the real samplers must catch each fault."""

from types import ModuleType
from typing import NamedTuple

from tests.support import mechanisms
from tests.support.mutation import Edit


class Fault(NamedTuple):
    """A fault of a mechanism: edits of the mechanism's module, or of a module that it imports."""

    mechanism: ModuleType
    module: ModuleType
    edits: tuple[Edit, ...]


PYTHON_FAULTS = {
    f"{name}: {wrong}": Fault(sampler, fault.module or sampler, fault.edits)
    for name, home in mechanisms.homes().items()
    for sampler in [mechanisms.sampler(name)]
    for wrong, fault in home.FAULTS.items()
}
