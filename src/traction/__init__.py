"""Traction: dynamic contact mechanics.

Names are loaded where they are first used, so that `import traction` costs little more than numpy;
`__init__.pyi` lists them with the module of each.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
