"""Multiplication of transforms by spectra, in place."""

from traction.compiled import kernel


@kernel
def multiply_mirrored(block, quarter, first, odd_x, odd_y):
    """Multiply the columns first, first + 1, ... of a transform by the mirrored spectrum, in place."""
    ly, width = block.shape
    for j in range(ly):
        mirrored = 2 * j > ly
        row = quarter[ly - j] if mirrored else quarter[j]
        sign = -1.0 if mirrored and odd_y else 1.0
        if odd_x and odd_y:
            sign = -sign
        if odd_x != odd_y:
            for i in range(width):
                value = block[j, i]
                factor = sign * row[first + i]
                block[j, i] = complex(factor * value.imag, -factor * value.real)
        else:
            for i in range(width):
                block[j, i] *= sign * row[first + i]


@kernel
def multiply(transform, symbol):
    """Multiply a transform by a real symbol, in place."""
    ny, nx = transform.shape
    for j in range(ny):
        for i in range(nx):
            transform[j, i] *= symbol[j, i]
