#include "qz_png.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

// Bytes that libpng asks for at a time while it unpacks: it throws away what it has of a piece that is cut short.
enum { usual_piece = 8192, last_piece = 1 };

struct qz_png_reader {
    png_structp library;
    png_infop info;
    const uint8_t *bytes;
    size_t count;
    size_t position;
    jmp_buf escape;
    qz_png_status status;
    char message[160];
    int is_reading_rows;
    int wants_small_pieces;
    int has_wrong_sum;
    size_t row_bytes;
};

static void on_error(png_structp library, png_const_charp text) {
    qz_png_reader *reader = png_get_error_ptr(library);
    snprintf(reader->message, sizeof reader->message, "%s", text);
    if (reader->status == qz_png_ok) {
        int is_memory = strstr(text, "ut of memory") || strstr(text, "nsufficient memory");
        reader->status = is_memory ? qz_png_memory : qz_png_corrupt;
    }
    longjmp(reader->escape, 1);
}

static void on_warning(png_structp library, png_const_charp text) {
    qz_png_reader *reader = png_get_error_ptr(library);
    // While rows are read the only sums are those of IDAT: its CRC, and zlib's.
    if (reader->is_reading_rows && (strstr(text, "CRC") || strstr(text, "data check"))) reader->has_wrong_sum = 1;
}

static void read_bytes(png_structp library, png_bytep target, size_t count) {
    qz_png_reader *reader = png_get_io_ptr(library);
    if (count > reader->count - reader->position) {
        reader->status = qz_png_cut_off;
        png_error(library, "the file ends too early");
    }
    memcpy(target, reader->bytes + reader->position, count);
    reader->position += count;
}

qz_png_reader *qz_png_create(const uint8_t *bytes, size_t count) {
    qz_png_reader *reader = calloc(1, sizeof *reader);
    if (!reader) return NULL;
    reader->bytes = bytes;
    reader->count = count;
    if (setjmp(reader->escape)) {
        qz_png_destroy(reader);
        return NULL;
    }
    reader->library = png_create_read_struct(PNG_LIBPNG_VER_STRING, reader, on_error, on_warning);
    if (reader->library) reader->info = png_create_info_struct(reader->library);
    if (!reader->info) {
        qz_png_destroy(reader);
        return NULL;
    }
    png_structp library = reader->library;
    png_set_read_fn(library, reader, read_bytes);
    png_set_benign_errors(library, 1);
    // Some writers give a window in the header that is smaller than the one they used.
    png_set_option(library, PNG_MAXIMUM_INFLATE_WINDOW, PNG_OPTION_ON);
    // The caller checks the size once the header is read, before libpng takes a row's memory: its limits are the
    // ones that a user can set, and its error names the size.
    png_set_user_limits(library, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_chunk_malloc_max(library, 1 << 20);
    png_set_chunk_cache_max(library, 16);
    // Nothing but the pixels, the palette and the transparency matters, so the rest is not even unpacked.
    static const png_byte skipped[] =
        "bKGD\0cHRM\0eXIf\0gAMA\0hIST\0iCCP\0iTXt\0oFFs\0pCAL\0pHYs\0sBIT\0sCAL\0sPLT\0sRGB\0sTER\0tEXt\0tIME\0zTXt";
    png_set_keep_unknown_chunks(library, PNG_HANDLE_CHUNK_NEVER, skipped, (int)(sizeof skipped / 5));
    return reader;
}

void qz_png_destroy(qz_png_reader *reader) {
    if (!reader) return;
    if (reader->library) png_destroy_read_struct(&reader->library, &reader->info, NULL);
    free(reader);
}

qz_png_status qz_png_read_header(qz_png_reader *reader, qz_png_header *header) {
    if (setjmp(reader->escape)) return reader->status;
    png_read_info(reader->library, reader->info);
    header->width = png_get_image_width(reader->library, reader->info);
    header->height = png_get_image_height(reader->library, reader->info);
    header->is_interlaced = png_get_interlace_type(reader->library, reader->info) != PNG_INTERLACE_NONE;
    return qz_png_ok;
}

static void copy_palette(qz_png_reader *reader, qz_png_layout *layout) {
    png_colorp colors = NULL;
    png_bytep alphas = NULL;
    int color_count = 0, alpha_count = 0;
    png_get_PLTE(reader->library, reader->info, &colors, &color_count);
    png_get_tRNS(reader->library, reader->info, &alphas, &alpha_count, NULL);
    for (int index = 0; index < 256; index++) {
        uint8_t *entry = layout->palette[index];
        entry[3] = 255;
        if (index < color_count) {
            entry[0] = colors[index].red;
            entry[1] = colors[index].green;
            entry[2] = colors[index].blue;
            if (alphas && index < alpha_count) entry[3] = alphas[index];
        }
    }
}

qz_png_status qz_png_start(qz_png_reader *reader, int is_cut_off, qz_png_layout *layout) {
    if (setjmp(reader->escape)) return reader->status;
    png_structp library = reader->library;
    memset(layout, 0, sizeof *layout);
    layout->is_indexed = png_get_color_type(library, reader->info) == PNG_COLOR_TYPE_PALETTE;
    if (layout->is_indexed) {
        copy_palette(reader, layout);
        png_set_packing(library);
    } else {
        // Gray of 1, 2 or 4 bits to 8, a transparent color to alpha, 16 bits to the nearest of 8.
        png_set_expand(library);
        png_set_scale_16(library);
    }
    png_read_update_info(library, reader->info);
    layout->channels = png_get_channels(library, reader->info);
    layout->row_bytes = reader->row_bytes = png_get_rowbytes(library, reader->info);
    // From here on the only sums left are those of the pixels, and a wrong one is reported, not fatal.
    png_set_crc_action(library, PNG_CRC_WARN_USE, PNG_CRC_WARN_DISCARD);
    reader->is_reading_rows = 1;
    reader->wants_small_pieces = is_cut_off;
    return qz_png_ok;
}

qz_png_status qz_png_read_row(qz_png_reader *reader, uint8_t *row) {
    if (setjmp(reader->escape)) return reader->status;
    if (reader->wants_small_pieces && reader->count - reader->position < 2 * usual_piece + reader->row_bytes) {
        reader->wants_small_pieces = 0;
        png_set_compression_buffer_size(reader->library, last_piece);
    }
    png_read_row(reader->library, row, NULL);
    return qz_png_ok;
}

int qz_png_has_wrong_sum(const qz_png_reader *reader) {
    return reader->has_wrong_sum;
}

const char *qz_png_message(const qz_png_reader *reader) {
    return reader->message;
}

uint32_t qz_png_version(void) {
    return png_access_version_number();
}
