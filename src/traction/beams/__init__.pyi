"""Beams."""

from . import obstacle as obstacle
