"""Figures of the pages: without paper of their own, and an error where an axes has nothing drawn on it."""

import numpy as np


def empty_axes(figure):
    """Return the axes of a figure that have a frame and no data inside.

    Lines and areas that span an axes (`axhline`, `axhspan`) are guides and do not count as data.
    """
    return [axes for axes in figure.get_axes() if axes.axison and axes.get_visible() and not _has_data(axes)]


def save_full_figures(block, block_vars, gallery_conf, **kwargs):
    """Scraper of sphinx-gallery: refuse a figure with empty axes, save the others."""
    import matplotlib.pyplot as plt
    from sphinx_gallery.scrapers import matplotlib_scraper

    for number in plt.get_fignums():
        figure = plt.figure(number)
        empty = empty_axes(figure)
        if empty:
            place = f"{block_vars.get('src_file', 'example')}, block at line {block[2]}"
            total = len(figure.get_axes())
            titles = ", ".join(repr(axes.get_title() or "untitled") for axes in empty)
            plt.close("all")
            raise ValueError(
                f"{place}: {len(empty)} of {total} axes are empty when the figure is saved ({titles}). "
                "A figure is saved at the end of the block that makes it: draw all of it in one block."
            )
        clear_paper(figure)
    return matplotlib_scraper(block, block_vars, gallery_conf, **kwargs)


def clear_paper(figure):
    """Make the white background of a figure and of its axes transparent: the page has the paper."""
    from matplotlib.colors import to_hex

    for patch in (figure.patch, *(axes.patch for axes in figure.get_axes())):
        if to_hex(patch.get_facecolor()) == "#ffffff":
            patch.set_alpha(0.0)


def _has_data(axes):
    drawn = [*axes.lines, *axes.patches]
    if any(one.get_transform().contains_branch(axes.transData) and _finite(one) for one in drawn):
        return True
    filled = any(
        len(collection.get_paths()) or np.size(collection.get_offsets()) for collection in axes.collections
    )
    return filled or bool(axes.images) or bool(axes.tables)


def _finite(artist):
    return bool(np.isfinite(artist.get_path().vertices).all(axis=1).any())
