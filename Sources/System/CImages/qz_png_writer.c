#include "qz_png.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

typedef struct {
    uint8_t *bytes;
    size_t count;
    size_t room;
    jmp_buf escape;
    qz_png_status status;
} qz_png_sink;

static void on_error(png_structp library, png_const_charp text) {
    (void)text;
    qz_png_sink *sink = png_get_error_ptr(library);
    if (sink->status == qz_png_ok) sink->status = qz_png_corrupt;
    longjmp(sink->escape, 1);
}

static void on_warning(png_structp library, png_const_charp text) {
    (void)library;
    (void)text;
}

static void write_bytes(png_structp library, png_bytep bytes, size_t count) {
    qz_png_sink *sink = png_get_io_ptr(library);
    if (count > sink->room - sink->count) {
        size_t room = 2 * sink->room + count + 4096;
        uint8_t *grown = realloc(sink->bytes, room);
        if (!grown) {
            sink->status = qz_png_memory;
            png_error(library, "no memory");
        }
        sink->bytes = grown;
        sink->room = room;
    }
    memcpy(sink->bytes + sink->count, bytes, count);
    sink->count += count;
}

static void flush(png_structp library) {
    (void)library;
}

qz_png_status qz_png_encode(
    const uint8_t *pixels, int64_t width, int64_t height, int channels, const char *software, uint8_t **bytes,
    size_t *count
) {
    // On the heap, as nothing that changes after setjmp may be a local.
    qz_png_sink *sink = calloc(1, sizeof *sink);
    if (!sink) return qz_png_memory;
    png_structp library = png_create_write_struct(PNG_LIBPNG_VER_STRING, sink, on_error, on_warning);
    png_infop info = library ? png_create_info_struct(library) : NULL;
    qz_png_status status = qz_png_memory;
    if (info) {
        if (setjmp(sink->escape) == 0) {
            png_set_write_fn(library, sink, write_bytes, flush);
            png_set_user_limits(library, 0x7FFFFFFF, 0x7FFFFFFF);
            // Annotated pictures are looked at once: speed before size.
            png_set_compression_level(library, 3);
            png_set_IHDR(
                library, info, (png_uint_32)width, (png_uint_32)height, 8,
                channels == 3 ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE,
                PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
            if (software) {
                png_text text = {
                    .compression = PNG_TEXT_COMPRESSION_NONE, .key = (char *)"Software", .text = (char *)software};
                png_set_text(library, info, &text, 1);
            }
            png_write_info(library, info);
            size_t stride = (size_t)width * (size_t)channels;
            for (int64_t row = 0; row < height; row++) png_write_row(library, pixels + (size_t)row * stride);
            png_write_end(library, info);
        }
        status = sink->status;
    }
    png_destroy_write_struct(&library, &info);
    if (status == qz_png_ok) {
        *bytes = sink->bytes;
        *count = sink->count;
    } else {
        free(sink->bytes);
    }
    free(sink);
    return status;
}
