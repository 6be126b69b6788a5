"""Animations: `film` draws frames and writes the file; the others show bouncing, rolling and crossing."""
