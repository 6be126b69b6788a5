"""Beams: sections, supports, exact modes and statics, elements, differences, vibration."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
