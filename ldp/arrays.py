"""Types of arrays."""

from typing import Any

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Indices = npt.NDArray[np.intp]
Booleans = npt.NDArray[np.bool_]
Complexes = npt.NDArray[Any]
