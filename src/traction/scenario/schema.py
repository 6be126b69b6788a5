"""Building blocks of scenario schemas: strict models, and one number or many."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Self

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag, model_validator


class Strict(BaseModel):
    """Base of all schemas: no unknown keys, no conversions, finite numbers only, never changed."""

    model_config = ConfigDict(
        strict=True, extra="forbid", allow_inf_nan=False, frozen=True, use_attribute_docstrings=True
    )
    #: words, and keys of which exactly one must be given; words, and keys of which at most one may be
    exactly_one: ClassVar[tuple[tuple[str, ...], ...]] = ()
    not_both: ClassVar[tuple[tuple[str, ...], ...]] = ()

    @model_validator(mode="after")
    def _check_given(self) -> Self:
        for rules, wrong in ((self.exactly_one, "needs {}"), (self.not_both, "takes {}, not both")):
            for words, *names in rules:
                given = sum(getattr(self, name) is not None for name in names)
                if given > 1 or (given == 0 and rules is self.exactly_one):
                    raise ValueError(wrong.format(words))
        return self


def require_storable(stored: float, most: float, remedy: str) -> None:
    """Refuse a run that would store too many numbers."""
    if stored > most:
        raise ValueError(f"would store {stored:.2g} numbers, at most {most:g}; choose {remedy}")


def one_or_many(number: Any) -> Any:
    """The type of one number or a list of them."""
    many = Annotated[list[number], Field(min_length=1, max_length=100_000, fail_fast=True)]
    either = Annotated[number, Tag("one")] | Annotated[many, Tag("many")]
    chosen = Discriminator(lambda value: "many" if isinstance(value, list) else "one")
    return Annotated[either, chosen] | None
