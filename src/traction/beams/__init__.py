"""Beams: sections, supports, exact modes and statics, elements, differences, vibration."""
