"""Decoding with Ray Data, by `map_batches`. Needs ray and pyarrow.

import ray
from quietzone import ray as qz

qz.decode(ray.data.read_binary_files("scans/", include_paths=True)).write_parquet("symbols/")
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa

from ._decoder import shared_decoder
from ._options import check_worker_options, request_fields
from .arrow import SCHEMA, batches
from .spark import pictures

if TYPE_CHECKING:
    from ray.data import Dataset


class _Mapper:
    """What Ray's workers call with each batch; the decoder is kept for the life of their process."""

    def __init__(self, picture: str, name: str, settings: dict[str, Any], options: dict[str, Any]) -> None:
        self.picture, self.name, self.settings, self.options = picture, name, settings, options

    def __call__(self, batch: pa.Table) -> pa.Table:
        decoder = shared_decoder(**self.settings)
        inputs = pictures(batch.to_batches(), self.picture, self.name)
        return pa.Table.from_batches(batches(decoder.decode_many(inputs, ordered=False, **self.options)), SCHEMA)


def decode(
    dataset: Dataset,
    *,
    picture: str = "bytes",
    name: str = "path",
    batch_size: int = 256,
    workers: int = 1,
    timeout: float = 30,
    worker_megabytes: int = 1024,
    content: bool = False,
    keys: str | None = None,
    program: str | None = None,
    **options: Any,
) -> Dataset:
    """The symbols in the pictures of a dataset: the columns of `quietzone.arrow.SCHEMA`, at least one row a picture.

    Args:
        dataset: pictures, such as those of `ray.data.read_binary_files(folder, include_paths=True)`.
        picture: the column of their bytes, or of paths that the workers can open.
        name: the column of their names, `source` in the result.
        batch_size: how many pictures are handed to a worker at once.
        workers: the processes that decode for one of Ray's tasks.
        timeout: as `quietzone.Decoder` has it, as are `worker_megabytes`, `content`, `keys` and `program`.
        options: what is looked for, as `quietzone.Decoder.decode_many` has it.
    """
    request_fields(**options)
    check_worker_options(workers=workers, timeout=timeout, worker_megabytes=worker_megabytes)
    settings = {
        "workers": workers,
        "timeout": timeout,
        "worker_megabytes": worker_megabytes,
        "content": content,
        "keys": keys,
        "program": program,
    }
    mapper = _Mapper(picture, name, settings, options)
    return dataset.map_batches(mapper, batch_format="pyarrow", batch_size=batch_size, num_cpus=workers)
