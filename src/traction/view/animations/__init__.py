"""Animations: `film` draws frames and writes the file; the others say what is in a frame.

`bounce_animation`, `impact_animation`, `rolling_animation` and `crossing_animation` each read one kind of
result, build a stage, and hand it to `film`, which makes a GIF or a page with a slider.
"""
