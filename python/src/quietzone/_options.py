"""The options of calls, with their types and their limits."""

from __future__ import annotations

import difflib
import enum
import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict

if TYPE_CHECKING:
    from typing_extensions import Unpack as Unpack  # of the standard library from Python 3.11 on


class Format(str, enum.Enum):
    """A symbology that can be read, see docs/reference/symbologies.md; it equals its name, such as `"qr_code"`."""

    QR_CODE = "qr_code"
    AZTEC = "aztec"
    MICRO_QR_CODE = "micro_qr_code"
    RMQR_CODE = "rmqr_code"
    MAXI_CODE = "maxi_code"
    HAN_XIN = "han_xin"
    DOT_CODE = "dot_code"
    SQ_CODE = "sq_code"
    DATA_MATRIX = "data_matrix"
    EAN_13 = "ean_13"
    EAN_8 = "ean_8"
    UPC_A = "upc_a"
    UPC_E = "upc_e"
    EAN_2 = "ean_2"
    EAN_5 = "ean_5"
    ISBN_10 = "isbn_10"
    ISBN_13 = "isbn_13"
    CODE_128 = "code_128"
    CODE_93 = "code_93"
    CODE_39 = "code_39"
    CODE_39_EXTENDED = "code_39_extended"
    CODE_39_MOD43 = "code_39_mod43"
    CODE_32 = "code_32"
    PZN = "pzn"
    CODABAR = "codabar"
    ITF = "itf"
    ITF_14 = "itf_14"
    TELEPEN = "telepen"
    TELEPEN_NUMERIC = "telepen_numeric"
    DX_FILM_EDGE = "dx_film_edge"
    CODE_11 = "code_11"
    MSI = "msi"
    INDUSTRIAL_2_OF_5 = "industrial_2_of_5"
    IATA_2_OF_5 = "iata_2_of_5"
    MATRIX_2_OF_5 = "matrix_2_of_5"
    DATALOGIC_2_OF_5 = "datalogic_2_of_5"
    PHARMACODE = "pharmacode"
    USPS_IMAIL = "usps_imail"
    POSTNET = "postnet"
    PLANET = "planet"
    ROYAL_MAIL = "royal_mail"
    KIX = "kix"
    AUSTRALIA_POST = "australia_post"
    JAPAN_POST = "japan_post"
    DATABAR = "databar"
    DATABAR_LIMITED = "databar_limited"
    DATABAR_EXPANDED = "databar_expanded"
    PDF417 = "pdf417"
    MICRO_PDF417 = "micro_pdf417"

    def __str__(self) -> str:
        return self.value


Effort: TypeAlias = Literal["fast", "normal", "thorough"]

#: The order of the colors in an array: "rgb" as PIL and imageio have it, "bgr" as OpenCV has it.
ColorOrder: TypeAlias = Literal["rgb", "bgr"]

EFFORTS = ("fast", "normal", "thorough")
COLOR_ORDERS = ("rgb", "bgr")


class PictureOptions(TypedDict, total=False):
    """What every picture of a call is read for.

    formats: the symbologies to read; all that are read by default if left out.
    effort: `fast`, `normal` or `thorough`.
    time_budget: seconds for the search in one picture, at most 86400; what was read by then is the answer.
    max_count: stop after so many symbols.
    max_megapixels: the most pixels of a picture, in millions, at most 4000.
    max_file_megabytes: the most bytes of a file or an array, in units of 1024 x 1024, at most 100000.
    resolution: pixels per inch for a page of a PDF, 36 to 2400.
    """

    formats: Iterable[Format | str] | None
    effort: Effort
    time_budget: float | None
    max_count: int | None
    max_megapixels: float
    max_file_megabytes: float
    resolution: float | None


class ManyOptions(PictureOptions, total=False):
    """The options of `decode_many`: those of its pictures and of its workers, see `Decoder`."""

    timeout: float
    worker_megabytes: int
    content: bool
    keys: str | os.PathLike[str] | None
    program: str | os.PathLike[str] | None
    color_order: ColorOrder | None


class Options(ManyOptions, total=False):
    """The options of a call for one picture or document."""

    workers: int | None


#: The largest count and page number that a request can have.
LARGEST_NUMBER = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Fields:
    """The options of a request as JSON text, a comma before each field, and the limits for an array."""

    text: str
    max_pixels: int
    max_bytes: int


def request_fields(
    *,
    formats: Iterable[Format | str] | None = None,
    effort: Effort = "normal",
    time_budget: float | None = None,
    max_count: int | None = None,
    max_megapixels: float = 200,
    max_file_megabytes: float = 256,
    resolution: float | None = None,
    **unknown: Any,
) -> Fields:
    """The options of `PictureOptions` as fields of a request.

    Raises TypeError or ValueError for an option that no request can have.
    """
    for name in unknown:
        _reject(name)
    fields: dict[str, Any] = {"effort": _known("effort", effort, EFFORTS)}
    if formats is not None:
        fields["formats"] = _names(formats)
    if time_budget is not None:
        fields["timeBudgetMilliseconds"] = _positive("time_budget", time_budget, 86_400) * 1000
    if max_count is not None:
        fields["maximumCount"] = int(_positive("max_count", max_count, LARGEST_NUMBER, kind=Integral))
    max_pixels = fields["maximumPixels"] = int(_positive("max_megapixels", max_megapixels, 4000) * 1e6)
    max_bytes = int(_positive("max_file_megabytes", max_file_megabytes, 100_000) * (1 << 20))
    fields["maximumFileBytes"] = max_bytes
    if resolution is not None:
        check_range("resolution", resolution, 36, 2400, "pixels per inch")
        fields["resolution"] = float(resolution)
    return Fields("," + json.dumps(fields, separators=(",", ":"))[1:-1], max_pixels, max_bytes)


def check_worker_options(*, workers: int | None, timeout: float, worker_megabytes: int) -> None:
    """Raises TypeError or ValueError for an option that the program `decode-image` rejects."""
    if workers is not None:
        check_range("workers", workers, 1, 1024, "processes", kind=Integral)
    check_range("timeout", timeout, 0.001, 86_400, "seconds")
    check_range("worker_megabytes", worker_megabytes, 64, 1_000_000, "megabytes", kind=Integral)


def check_color_order(order: str | None) -> None:
    """Raises ValueError for an order of colors that is not known."""
    if order is not None:
        _known("color_order", order, COLOR_ORDERS)


def _names(formats: Iterable[Format | str]) -> list[str]:
    if isinstance(formats, (str, bytes)) or not isinstance(formats, Iterable):
        raise TypeError(f'formats is a list of names, such as ["qr_code"], not {formats!r}')
    names = [_known("format", name, [str(one) for one in Format]) for name in formats]
    if not names:
        raise ValueError("formats names none; leave it out for all that are read by default")
    # Each once: the line of a request has at most 1 MiB.
    return list(dict.fromkeys(names))


def _reject(name: str) -> None:
    """Raises TypeError for an argument that is not an option of a picture, with the option that was probably meant."""
    options = sorted(Options.__optional_keys__)
    if name in options:
        raise TypeError(f"{name} is not an option of this call; Decoder or quietzone.decode takes it")
    raise TypeError(f"there is no option {name!r}; {_hint(name, options)}")


def _known(what: str, name: Any, known: Iterable[str]) -> str:
    """A name that is known; otherwise raises an error that says which one is the nearest."""
    if not isinstance(name, str):
        raise TypeError(f"{what} is a name, not {name!r}")
    known = list(known)
    if name in known:
        return str(name)
    raise ValueError(f"there is no {what} {name!r}; {_hint(name, known)}")


def _hint(name: str, known: list[str]) -> str:
    """The known name that is nearest to an unknown one, as a question; all known names if none is near."""
    # The peers write QRCode, CODE-128 and Ean13.
    plain = {_plain(one): one for one in known}
    nearest = difflib.get_close_matches(_plain(name), plain, n=1)
    return f"did you mean {plain[nearest[0]]!r}?" if nearest else f"known are {', '.join(known)}"


def _plain(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter.isalnum())


def _positive(what: str, number: float, high: float, kind: type = Real) -> float:
    _check_kind(what, number, kind)
    if not 0 < number <= high:
        raise ValueError(f"{what} is more than 0 and at most {high}, not {number}")
    return float(number)


def check_range(what: str, number: float, low: float, high: float, unit: str = "", kind: type = Real) -> None:
    """Raises TypeError for a value that is not a number of the given kind, and ValueError for one out of range."""
    _check_kind(what, number, kind)
    if not low <= number <= high:
        raise ValueError(f"{what} is from {low} to {f'{high} {unit}'.rstrip()}, not {number}")


def _check_kind(what: str, number: Any, kind: type) -> None:
    # The numbers of numpy are of these kinds too, and not all of them are an int or a float.
    if isinstance(number, bool) or not isinstance(number, kind):
        raise TypeError(f"{what} is a {'whole ' if kind is Integral else ''}number, not {number!r}")
