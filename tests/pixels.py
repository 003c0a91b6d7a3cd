"""The pixels of a PNG."""

from __future__ import annotations

from io import BytesIO

import numpy as np
from numpy.typing import NDArray
from PIL import Image


def pixels(data: bytes) -> NDArray[np.uint8]:
    """Rows of pixels of red, green, blue and alpha."""
    return np.array(Image.open(BytesIO(data)).convert("RGBA"))
