"""Blocks of matrices between sectors, from the rows of elements at +y (see `slip_matrices`).

Units: those of the matrix.
"""

from traction.compiled import kernel


@kernel(nogil=True)
def fold_rows(matrix, alone, weight, left, right, weights, blocks):
    """Blocks (2, 2 h, 2 h') of the rows of h elements, (2, h, 2, m).

    alone: whether an element is the image of itself. left, right: columns of sources and of their
    images; weight, weights: of the sectors in the fields of pairs.
    """
    h, wide = alone.size, left.size
    for k in range(2):
        for o in range(h):
            for m in range(2):
                for j in range(wide):
                    a, b = matrix[k, o, m, left[j]], matrix[k, o, m, right[j]]
                    scale = 0.5 / (weight[o] * weights[j])
                    for s in range(2):
                        # images turn the sign of y in the first sector and of x in the second
                        turned = (k == 0) == (s == 1)
                        total = a - b if (m == 0) == (s == 1) else a + b
                        blocks[s, k * h + o, m * wide + j] = 0.0 if turned and alone[o] else scale * total
