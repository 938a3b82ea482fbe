// libjpeg-turbo behind functions that return: its errors leave by longjmp, which must not cross Swift.
//
// Every picture comes out as luma, one byte a pixel, and luma goes in where one is written. Nothing is printed; nothing
// here is kept between two pictures.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// The result of a call.
typedef enum {
    qz_jpeg_ok = 0,
    /// The bytes break the format's rules.
    qz_jpeg_corrupt,
    /// A kind of JPEG that the library does not decode: 12 bits a sample, lossless, hierarchical.
    qz_jpeg_unsupported,
    /// More memory is wanted than was allowed, or than there is.
    qz_jpeg_memory,
    /// A side is beyond what the library can hold.
    qz_jpeg_too_large,
    /// More scans than were allowed.
    qz_jpeg_too_many_scans,
} qz_jpeg_status;

typedef struct qz_jpeg_decoder qz_jpeg_decoder;

typedef struct {
    int64_t width;
    int64_t height;
    /// Bytes of coefficients that a picture of several scans keeps until the last of them; 0 for one scan.
    int64_t coefficient_bytes;
    /// The offset of the data of the first scan.
    size_t scan_start;
} qz_jpeg_header;

/// The state of the picture after the last row.
typedef struct {
    /// The rows, of those that were delivered, whose data the file holds.
    int64_t whole_rows;
    /// 1 if the file ends before the picture does.
    int is_cut_off;
    /// Warnings that mean wrong pixels; harmless ones are not counted.
    int64_t damage_count;
} qz_jpeg_outcome;

/// A decoder of `count` bytes, which stay in place until it is destroyed; NULL when there is no memory for it.
qz_jpeg_decoder *qz_jpeg_create(const uint8_t *bytes, size_t count);
void qz_jpeg_destroy(qz_jpeg_decoder *decoder);

/// Reads up to the first scan. No memory that grows with the picture is taken.
qz_jpeg_status qz_jpeg_read_header(qz_jpeg_decoder *decoder, qz_jpeg_header *header);

/// Begins decoding at 1/`denominator` of the size (1, 2, 4, 8).
///
/// A picture of several scans is read here in full. `memory` is the most that the library may take, in bytes.
qz_jpeg_status qz_jpeg_start(qz_jpeg_decoder *decoder, int denominator, int maximum_scans, int64_t memory);

/// The size that results from the reduction.
int64_t qz_jpeg_output_width(const qz_jpeg_decoder *decoder);
int64_t qz_jpeg_output_height(const qz_jpeg_decoder *decoder);

/// Decodes up to `rows` rows of luma into `pixels`, each `stride` bytes after the one above.
///
/// After a failure the outcome tells how many rows there are.
qz_jpeg_status qz_jpeg_read_rows(qz_jpeg_decoder *decoder, uint8_t *pixels, size_t stride, int64_t rows);

qz_jpeg_outcome qz_jpeg_get_outcome(const qz_jpeg_decoder *decoder);

/// The number of bytes that were read when the last call returned; all if the library reached the end.
size_t qz_jpeg_position(const qz_jpeg_decoder *decoder);

/// The library's words for the last failure; valid as long as the decoder.
const char *qz_jpeg_message(const qz_jpeg_decoder *decoder);

/// Packs luma as a gray JPEG: `height` rows of `width` bytes, each `stride` bytes after the one above.
///
/// `quality` is 1 to 100. On success `*bytes` holds `*count` bytes, which the caller gives back with free(); on failure
/// neither is touched.
qz_jpeg_status qz_jpeg_encode(
    const uint8_t *pixels, size_t stride, int64_t width, int64_t height, int quality, uint8_t **bytes, size_t *count);

/// The version of libjpeg-turbo that this was compiled with, such as "2.1.5".
const char *qz_jpeg_version(void);
