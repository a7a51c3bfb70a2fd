"""The test vectors of RFC 9474, appendix A, for the two variants with a salt: both sign a prepared message."""

import json
from pathlib import Path

_FILE = json.loads(Path(__file__).with_name("rfc9474.json").read_text())
# p, q, n, e and d of the key for all vectors.
KEY = {name: int(value, 16) for name, value in _FILE["key"].items()}
VECTORS = _FILE["vectors"]
