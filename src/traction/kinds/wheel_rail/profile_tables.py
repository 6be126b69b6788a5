"""Tables of cross-sections of wheels and rails in scenario files."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import ConfigDict, Field, model_validator

from traction.profiles.profile import Profile
from traction.scenario import si
from traction.scenario.schema import Strict

Coordinates = Annotated[list[si.Length], Field(min_length=4, max_length=100_000, fail_fast=True)]


def _or_file(schema: dict[str, Any]) -> None:
    """In a file, the points may be in another file instead."""
    schema["properties"]["file"] = {"type": "string", "description": "profile beside the scenario"}
    schema["properties"]["mirror"] = {"type": "boolean", "description": "the file is that of a left one"}


class CrossSectionTable(Strict):
    """A standard profile by name, a cone by its taper, or points y and z, which a file may hold."""

    model_config = ConfigDict(json_schema_extra=_or_file)
    exactly_one = (("exactly one of standard, taper, y and file", "standard", "taper", "y"),)

    standard: Literal["S1002", "60E1", "60E2", "UIC60-benchmark"] | None = None
    taper: si.Slope | None = None
    """of a conical wheel"""
    y: Coordinates | None = None
    """towards the flange or the gauge side"""
    z: Coordinates | None = None
    """upwards"""
    smoothing: si.NotNegativeLength | None = None
    """wavelength; by default as much as the noise asks for, 0 for none"""

    @model_validator(mode="after")
    def _paired(self) -> Self:
        if (self.y is None) != (self.z is None):
            raise ValueError("needs y and z together, of equal lengths")
        if self.smoothing is not None and self.y is None:
            raise ValueError("has a smoothing, which belongs to points only; remove it")
        return self

    def build(self, kind: str) -> Profile:
        """The profile of a wheel or a rail; a `ValueError` if it is that of the other."""
        if self.standard is not None:
            profile = Profile.standard(self.standard)
            if profile.kind != kind:
                raise ValueError(
                    f'has the profile "{self.standard}" of a {profile.kind} where a {kind} is needed'
                )
            return profile
        if self.taper is not None:
            if kind != "wheel":
                raise ValueError("has a taper, which only wheels have; give a standard rail, or points")
            return Profile.conical(self.taper)
        return Profile(self.y, self.z, kind, self.smoothing)

    @property
    def words(self) -> str:
        """The profile in a few words."""
        if self.standard is not None:
            return self.standard
        if self.taper is not None:
            return f"cone, taper {self.taper:.4g}"
        return f"{len(self.y or ())} points"
