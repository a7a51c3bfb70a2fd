"""A step of a scale."""

from ldp.kinds.choices import Choice
from ldp.kinds.protocol import Kind

KIND: Kind = Choice()
