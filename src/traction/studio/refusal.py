"""`RefusedError`: a request that is not met, with its status and a sentence for people."""

from __future__ import annotations

from collections.abc import Mapping


class RefusedError(Exception):
    """Raised where a request is not met; `facts` go beside the sentence into the answer."""

    def __init__(self, status: int, sentence: str, facts: Mapping[str, object] | None = None) -> None:
        super().__init__(sentence)
        self.status, self.sentence, self.facts = status, sentence, dict(facts or {})

    @property
    def body(self) -> dict[str, object]:
        """What is answered."""
        return {"error": self.sentence, **self.facts}
