"""Even and odd parts of fields, and the blocks of matrices between them."""

import numpy as np
import pytest

from traction.contact.batch.slip_matrices import MirrorSectors


def elements(rows, columns):
    return (part.ravel() for part in np.mgrid[:rows, :columns])


@pytest.mark.parametrize("rows", [4, 5])
def test_fields_return_from_their_sectors(rows):
    sectors = MirrorSectors.find(*elements(rows, 3))
    fields = np.random.default_rng(0).normal(size=(6, 2, rows * 3))
    assert sectors.count == 2
    folded = sectors.fold_fields(fields)
    np.testing.assert_allclose(sectors.unfold_fields(folded), fields, atol=1e-14)
    np.testing.assert_allclose((folded**2).sum(axis=(1, 2)), (fields**2).sum(axis=(1, 2)))
    assert sectors.share.sum() == pytest.approx(rows * 3)


@pytest.mark.parametrize("rows", [4, 5])
def test_blocks_multiply_like_a_symmetric_matrix(rows):
    row, column = elements(rows, 3)
    sectors, n = MirrorSectors.find(row, column), rows * 3
    image = ((rows - 1 - row) * 3 + column).astype(int)
    sign = np.array([[1.0, -1.0], [-1.0, 1.0]])
    matrix = np.random.default_rng(1).normal(size=(2, n, 2, n))
    matrix += sign[:, None, :, None] * matrix[:, image][..., image]
    blocks = sectors.fold_matrix(matrix[:, sectors.upper], sectors, np.arange(n))
    field = np.random.default_rng(2).normal(size=(2, n))
    by_blocks = sectors.unfold_fields(np.einsum("sij,sj->si", blocks, sectors.fold_fields(field)))
    np.testing.assert_allclose(by_blocks, np.einsum("kilj,lj->ki", matrix, field), atol=1e-12)


def test_elements_without_images_are_one_sector():
    row, column = elements(3, 3)
    assert MirrorSectors.find(row[:-1], column[:-1]).count == 1
    assert MirrorSectors.find(row, column, row * 1e-3, same=1e-3).count == 1
    assert MirrorSectors.find(row, column, row * 1e-3, same=2.1e-3).count == 2
