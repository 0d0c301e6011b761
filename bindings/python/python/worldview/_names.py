"""Dictionaries by name, and elements of pickles."""

from __future__ import annotations

from typing import Any, NoReturn

from ._worldview import _no_key


class Names(dict[str, Any]):
    """A dictionary whose errors say which name may be meant."""

    def __missing__(self, name: object) -> NoReturn:
        raise _no_key(name, list(self)) if isinstance(name, str) else KeyError(name)


def element(owner: Any, steps: list[str | int | list[Any]]) -> Any:
    """Returns an element of what a pickle opened again: by attributes, items and calls."""
    for step in steps:
        owner = getattr(owner, step) if isinstance(step, str) else owner[step] if isinstance(step, int) else owner(*step)
    return owner
