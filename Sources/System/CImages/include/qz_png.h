// libpng behind functions that return: its errors leave by longjmp, which must not cross Swift.
//
// Rows come out as libpng unpacks them, 8 bits a channel; turning them to luma is the caller's. Nothing is printed.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// The result of a call.
typedef enum {
    qz_png_ok = 0,
    /// The bytes break the format's rules.
    qz_png_corrupt,
    /// The bytes end before the picture does.
    qz_png_cut_off,
    /// There is not enough memory.
    qz_png_memory,
} qz_png_status;

typedef struct qz_png_reader qz_png_reader;

typedef struct {
    int64_t width;
    int64_t height;
    /// 1 if the picture is stored in the seven passes of Adam7.
    int is_interlaced;
} qz_png_header;

/// The shape of the rows that `qz_png_read_row` delivers.
typedef struct {
    /// 1 gray or index, 2 gray and alpha, 3 RGB, 4 RGB and alpha; alpha is not premultiplied.
    int channels;
    /// Bytes in a row of full width.
    size_t row_bytes;
    /// 1 if the one channel is an index into `palette`.
    int is_indexed;
    /// Red, green, blue and alpha of each index; those beyond the file's palette are opaque black.
    uint8_t palette[256][4];
} qz_png_layout;

/// A reader of `count` bytes, which stay in place until it is destroyed; NULL when there is no memory for it.
qz_png_reader *qz_png_create(const uint8_t *bytes, size_t count);
void qz_png_destroy(qz_png_reader *reader);

/// Reads up to the first byte of pixels, without memory that grows with the picture. The caller checks its size.
qz_png_status qz_png_read_header(qz_png_reader *reader, qz_png_header *header);

/// Prepares for the rows.
///
/// With `is_cut_off` the last bytes are taken in small pieces, which is slow but gives every row that is there.
qz_png_status qz_png_start(qz_png_reader *reader, int is_cut_off, qz_png_layout *layout);

/// Decodes the next row into `row`, which has room for `row_bytes`.
///
/// An interlaced picture gives the rows of its passes one after the other, each with the pixels of that pass only.
qz_png_status qz_png_read_row(qz_png_reader *reader, uint8_t *row);

/// Returns 1 if a check sum of the pixels was wrong, although they could be unpacked.
int qz_png_has_wrong_sum(const qz_png_reader *reader);

/// The library's words for the last failure; valid as long as the reader.
const char *qz_png_message(const qz_png_reader *reader);

/// Packs `height` rows of `channels` bytes a pixel (1 gray, 3 RGB) that follow each other without a gap.
///
/// `software` is the name of the program, for a text chunk of that name before the pixels; NULL for none.
/// `*bytes` is memory that the caller frees with `free`.
qz_png_status qz_png_encode(
    const uint8_t *pixels, int64_t width, int64_t height, int channels, const char *software, uint8_t **bytes,
    size_t *count);

/// The version of libpng that runs, as 10639 for 1.6.39.
uint32_t qz_png_version(void);
