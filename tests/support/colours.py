"""Colours as people see them: contrast as WCAG 2 defines it, and colour differences for people with red or green
blindness."""

import numpy as np
import numpy.typing as npt

Matrix = npt.NDArray[np.float64]

# These matrices take linear light to the light that a person without red or green cones sees (Machado, Oliveira and
# Fernandes 2009, severity 1).
BLIND = {
    "red-blind": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "green-blind": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
}
# XYZ takes linear light to CIE XYZ; WHITE is white in XYZ (IEC 61966-2-1).
XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
WHITE = XYZ.sum(axis=1)


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours #rrggbb, from 1 to 21."""
    dark, light = sorted(float(XYZ[1] @ _light(colour)) for colour in (one, other))
    return (light + 0.05) / (dark + 0.05)


def difference(one: str, other: str, eyes: Matrix) -> float:
    """Return the distance of two colours in CIELAB (CIE 1976), after the matrix `eyes` changed their light."""
    return float(np.linalg.norm(_lab(eyes @ _light(one)) - _lab(eyes @ _light(other))))


def _light(colour: str) -> Matrix:
    values = np.array([int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)])
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def _lab(light: Matrix) -> Matrix:
    ratio = XYZ @ np.clip(light, 0, 1) / WHITE
    x, y, z = np.where(ratio > (6 / 29) ** 3, np.cbrt(ratio), ratio * (29 / 6) ** 2 / 3 + 4 / 29)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])
