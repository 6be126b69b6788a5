"""Banded matrices, shapes of elements, and marches of discrete beams."""
