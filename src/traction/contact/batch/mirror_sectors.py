"""Mirror symmetry across the direction of rolling: fields as even and odd parts, matrices as two blocks.

Where the elements at -y are the mirror images of those at +y, tractions along x that are even in y displace
nothing but the even part along x and the odd part along y, and vice versa. A matrix falls into two blocks
of half the size: half the memory and half the work of each product. Without symmetry there is one block.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from traction.contact.batch.kernels.mirror_folds import fold_rows


@dataclass(frozen=True, eq=False)
class MirrorSectors:
    """Pairs of elements that are mirror images; fields of elements are (2, ne), sectors (ns, 2 h).

    Elements in the middle are pairs with themselves: they are counted twice among the ne = ns h, with half
    the weight.
    """

    upper: np.ndarray  #: elements at +y, (h,)
    lower: np.ndarray  #: their images, or () without symmetry

    @classmethod
    def find(
        cls, row: np.ndarray, column: np.ndarray, *features: np.ndarray, same: float = 0.0
    ) -> MirrorSectors:
        """Of elements in rows and columns; features of images differ by no more than `same`."""
        number = {place: e for e, place in enumerate(zip(row.tolist(), column.tolist(), strict=True))}
        last = int(row.min() + row.max())
        image = np.array([number.get((last - j, i), -1) for j, i in number], dtype=np.int64)
        if (image < 0).any() or any(np.abs(f - f[image]).max() > same for f in features):
            return cls(np.arange(row.size), np.empty(0, dtype=np.int64))
        upper = np.flatnonzero(2 * row >= last)
        return cls(upper, image[upper])

    @property
    def count(self) -> int:
        """Number of sectors, 1 or 2."""
        return 2 if self.lower.size else 1

    @cached_property
    def elements(self) -> np.ndarray:
        """The element at each of the ne places."""
        return np.concatenate((self.upper, self.lower))

    @cached_property
    def share(self) -> np.ndarray:
        """Weight of each place in a sum over the elements, (ne,)."""
        shares = 1.0 / np.bincount(self.elements)
        return np.asarray(shares[self.elements])

    @cached_property
    def weight(self) -> np.ndarray:
        """Of a sector in the field of a pair: 1/sqrt(2), 1 of an element in the middle, (h,)."""
        if self.count == 1:
            return np.ones(self.upper.size)
        return np.where(self.upper == self.lower, 1.0, np.sqrt(0.5))

    def select(self, mask: np.ndarray) -> MirrorSectors:
        """The pairs of elements in a symmetric mask."""
        return self.take(mask[self.upper])

    def take(self, pairs: np.ndarray) -> MirrorSectors:
        """Some of the pairs."""
        return MirrorSectors(self.upper[pairs], self.lower[pairs] if self.lower.size else self.lower)

    def fold_fields(self, fields: np.ndarray) -> np.ndarray:
        """Sectors (..., ns, 2 h) of fields of elements, (..., 2, n)."""
        up, half = fields[..., self.upper], 0.5 / self.weight
        if self.count == 1:
            return np.concatenate((up[..., 0, :], up[..., 1, :]), axis=-1)[..., None, :]
        down = fields[..., self.lower]
        even, odd = (up + down) * half, (up - down) * half
        first = np.concatenate((even[..., 0, :], odd[..., 1, :]), axis=-1)
        second = np.concatenate((odd[..., 0, :], even[..., 1, :]), axis=-1)
        return np.stack((first, second), axis=-2)

    def fold_matrix(self, rows: np.ndarray, sources: MirrorSectors, columns: np.ndarray) -> np.ndarray:
        """Blocks (ns, 2 h, 2 h') of a matrix, of which only the rows of `upper` are needed, (2, h, 2, m).

        columns: the column of each element, (n,). The rows of the images say the same.
        """
        left = columns[sources.upper]
        if self.count == 1:
            return rows[..., left].reshape(1, 2 * self.upper.size, -1)
        blocks = np.empty((2, 2 * self.upper.size, 2 * left.size))
        alone = self.upper == self.lower
        fold_rows(rows, alone, self.weight, left, columns[sources.lower], sources.weight, blocks)
        return blocks

    def unfold_fields(self, sectors: np.ndarray) -> np.ndarray:
        """Fields of elements (..., 2, n) from sectors (..., ns, 2 h)."""
        h = self.upper.size
        x, y = sectors[..., :h], sectors[..., h:]
        fields = np.zeros((*sectors.shape[:-2], 2, int(self.elements.max()) + 1))
        if self.count == 1:
            fields[..., 0, self.upper], fields[..., 1, self.upper] = x[..., 0, :], y[..., 0, :]
            return fields
        (e, f), (q, r) = (np.moveaxis(part * self.weight, -2, 0) for part in (x, y))
        fields[..., 0, self.upper], fields[..., 0, self.lower] = e + f, e - f
        fields[..., 1, self.upper], fields[..., 1, self.lower] = r + q, r - q
        return fields
