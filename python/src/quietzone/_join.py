"""Messages that are spread over several symbols (structured append)."""

from __future__ import annotations

import contextlib
import typing
from collections.abc import Iterable
from dataclasses import dataclass

from ._model import StructuredAppend, Symbol

#: The type, where a field has its name.
Bytes: typing.TypeAlias = bytes
#: The most symbols of a message, that of macro PDF417; a hostile symbol may state any number.
_MOST = 99_999


@dataclass(frozen=True, slots=True)
class JoinedMessage:
    """A message over several symbols, as far as they were read; numbers of parts count from 0."""

    format: str
    parity: int | None
    identifier: str | None
    #: How many symbols there are; None if no symbol that was read states it.
    count: int | None
    #: The parts that were not read; those after the last one that was read are left out without `count`.
    missing: tuple[int, ...]
    #: The parts of which different symbols were read, so that one of them belongs to another message.
    conflicts: tuple[int, ...]
    #: The whole message; None unless it is complete.
    text: str | None
    #: The whole message, byte for byte; None unless it is complete.
    bytes: Bytes | None

    @property
    def complete(self) -> bool:
        """Whether all symbols were read, without conflicts."""
        return self.bytes is not None


def join(symbols: Iterable[Symbol]) -> list[JoinedMessage]:
    """Joins the symbols that are parts of messages, from any pictures and pages, in any order; all others are left out.

    The messages stand in the order of their first symbols. A part is missing that was not read, see `JoinedMessage`.
    """
    messages: dict[tuple[object, ...], list[tuple[StructuredAppend, Symbol]]] = {}
    for symbol in symbols:
        place = symbol.structured_append
        if place is None or not 0 <= place.index < _MOST or (place.count or 0) > _MOST:
            continue
        # In PDF417 not every symbol states how many there are.
        is_stacked = symbol.format in ("pdf417", "micro_pdf417")
        key = (symbol.format, place.parity, place.identifier, None if is_stacked else place.count)
        messages.setdefault(key, []).append((place, symbol))
    return [_joined(parts) for parts in messages.values()]


def _joined(parts: list[tuple[StructuredAppend, Symbol]]) -> JoinedMessage:
    place, first = parts[0]
    counts = [place.count for place, _ in parts if place.count is not None]
    count = counts[-1] if counts else None
    # What two symbols of a part must have in common: where they lie and how well they were seen does not matter.
    found: dict[int, dict[tuple[bytes, str], Symbol]] = {}
    for one, symbol in parts:
        found.setdefault(one.index, {}).setdefault((symbol.bytes, symbol.text), symbol)
    end = max(count or 0, max(found) + 1)
    missing = tuple(index for index in range(end) if index not in found)
    conflicts = tuple(index for index in range(end) if len(found.get(index, ())) > 1)
    text = data = None
    if count is not None and not missing and not conflicts:
        whole = [next(iter(found[index].values())) for index in range(end)]
        data = b"".join(symbol.bytes for symbol in whole)
        text = "".join(symbol.text for symbol in whole)
        # A character may begin in one symbol and end in the next, where no character set is declared.
        if any(symbol.charset_source in ("evidence", "validity") for symbol in whole):
            with contextlib.suppress(UnicodeDecodeError):
                text = data.decode("utf-8")
    return JoinedMessage(first.format, place.parity, place.identifier, count, missing, conflicts, text, data)
