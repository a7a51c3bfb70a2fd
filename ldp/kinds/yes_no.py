"""Yes or no."""

from ldp.kinds.options import OptionKind
from ldp.kinds.protocol import Kind

KIND: Kind = OptionKind()
