#!/usr/bin/env python3
"""Reads the codes in a folder of pictures on a cluster of Spark and writes them as Parquet; see README.md.

usage: spark-submit ... read_codes.py [OPTION...] PICTURES RESULT
"""

from __future__ import annotations

import argparse
import os
import sys
import time

# Before quietzone is imported: the wheel's archive, which Spark unpacks into the folder of each process.
sys.path.insert(0, os.path.abspath("quietzone_wheel"))

from pyspark.sql import SparkSession
from quietzone import spark as qz


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument(
        "pictures",
        help="a folder or address that Spark reads, such as s3a://bucket/scans/",
    )
    parser.add_argument("result", help="the folder that Parquet is written to")
    parser.add_argument(
        "--paths",
        action="store_true",
        help="PICTURES is a text file of paths that executors can open",
    )
    parser.add_argument(
        "--partitions",
        type=int,
        help="how many tasks there are; a few thousand pictures each",
    )
    parser.add_argument("--formats", help="symbologies, with commas between them")
    parser.add_argument("--effort", default="normal")
    parser.add_argument(
        "--timeout", type=float, default=30, help="seconds for one picture"
    )
    parser.add_argument("--worker-megabytes", type=int, default=1024)
    parser.add_argument(
        "--workers",
        type=int,
        default=2,
        help="processes for each task: one more than its cores, so that none waits for a picture that hangs",
    )
    options = parser.parse_args()

    session = SparkSession.builder.appName("read codes").getOrCreate()
    if options.partitions:
        # So many tasks without moving the bytes to others: Spark counts a file as 4 MB unless told otherwise.
        session.conf.set("spark.sql.files.minPartitionNum", options.partitions)
        session.conf.set("spark.sql.files.openCostInBytes", 65536)
    if options.paths:
        frame = session.read.text(options.pictures).withColumnRenamed("value", "path")
    else:
        frame = (
            session.read.format("binaryFile")
            .option("recursiveFileLookup", "true")
            .load(options.pictures)
        ).select("path", "content")
    if options.paths and options.partitions:
        frame = frame.repartition(options.partitions)
    metrics = qz.Metrics.of(session)
    start = time.monotonic()
    symbols = qz.decode(
        frame,
        metrics=metrics,
        timeout=options.timeout,
        worker_megabytes=options.worker_megabytes,
        workers=options.workers,
        formats=options.formats.split(",") if options.formats else None,
        effort=options.effort,
    )
    symbols.write.mode("overwrite").parquet(options.result)
    seconds = time.monotonic() - start
    print(
        f"{metrics.pictures.value} pictures, {metrics.symbols.value} symbols, {metrics.unreadable.value} unreadable, "
        f"{seconds:.1f} s"
    )
    session.stop()


if __name__ == "__main__":
    main()
