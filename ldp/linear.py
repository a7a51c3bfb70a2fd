"""Linear equations in integers, without rounding."""


def solve(a: list[list[int]], b: list[list[int]]) -> tuple[list[list[int]], int]:
    """Integers X and D > 0 with A X = D B, for A (d, d) and B (d, k). ZeroDivisionError where A is singular.

    Fraction-free elimination (Bareiss 1968): after step k every entry is a minor of order k+1, so each division is
    exact and the numbers stay as short as determinants are.
    """
    d = len(a)
    rows = [[*left, *right] for left, right in zip(a, b, strict=True)]
    previous = 1
    for k in range(d):
        pivot = next((i for i in range(k, d) if rows[i][k]), None)
        if pivot is None:
            raise ZeroDivisionError("the matrix is singular")
        rows[k], rows[pivot] = rows[pivot], rows[k]
        top, lead = rows[k], rows[k][k]
        for i in range(d):
            if i != k:
                factor = rows[i][k]
                rows[i] = [(lead * x - factor * y) // previous for x, y in zip(rows[i], top, strict=True)]
        previous = lead
    sign = 1 if previous > 0 else -1
    return [[sign * x for x in row[d:]] for row in rows], sign * previous
