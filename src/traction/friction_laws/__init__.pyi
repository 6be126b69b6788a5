"""The laws of friction."""

from . import friction as friction
