#include "qz_jpeg.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <jerror.h>

enum { rows_a_call = 16 };

struct qz_jpeg_decoder {
    struct jpeg_decompress_struct library;
    struct jpeg_error_mgr errors;
    struct jpeg_source_mgr source;
    struct jpeg_progress_mgr progress;
    size_t count;
    jmp_buf escape;
    qz_jpeg_status status;
    char message[JMSG_LENGTH_MAX];

    int maximum_scans;
    int is_cut_off;
    int64_t damage_count;
    // The stored rows that were there when the data first ran out; -1 while it has not.
    int64_t rows_at_end;
    // One row of CMYK or of unknown channels; NULL where the library makes luma itself.
    uint8_t *row;
};

// The errors: each call of the library stands under a setjmp of the function that makes it.

static _Noreturn void fail(qz_jpeg_decoder *decoder, qz_jpeg_status status) {
    decoder->status = status;
    longjmp(decoder->escape, 1);
}

static void error_exit(j_common_ptr library) {
    qz_jpeg_decoder *decoder = library->client_data;
    library->err->format_message(library, decoder->message);
    switch (library->err->msg_code) {
    case JERR_OUT_OF_MEMORY:
    case JERR_NO_BACKING_STORE:
    case JERR_TFILE_CREATE:
        fail(decoder, qz_jpeg_memory);
    case JERR_IMAGE_TOO_BIG:
    case JERR_WIDTH_OVERFLOW:
        fail(decoder, qz_jpeg_too_large);
    case JERR_BAD_PRECISION:
    case JERR_SOF_UNSUPPORTED:
#if JPEG_LIB_VERSION < 70
    // Ubuntu's libjpeg has the interface of version 8, which does not know it any more.
    case JERR_ARITH_NOTIMPL:
#endif
    case JERR_NOT_COMPILED:
    case JERR_CONVERSION_NOTIMPL:
    case JERR_CCIR601_NOTIMPL:
    case JERR_FRACT_SAMPLE_NOTIMPL:
        fail(decoder, qz_jpeg_unsupported);
    default:
        fail(decoder, qz_jpeg_corrupt);
    }
}

static void output_message(j_common_ptr library) { (void)library; }

static void note_end_of_data(qz_jpeg_decoder *decoder) {
    struct jpeg_decompress_struct *library = &decoder->library;
    if (decoder->rows_at_end >= 0) return;
    // From the second scan on there is something for every row, if only coarse.
    int64_t rows = library->image_height;
    if (library->input_scan_number <= 1) {
        rows = (int64_t)library->input_iMCU_row * library->max_v_samp_factor * DCTSIZE;
    }
    decoder->rows_at_end = rows;
}

static void emit_message(j_common_ptr common, int level) {
    if (level >= 0) return;
    common->err->num_warnings++;
    qz_jpeg_decoder *decoder = common->client_data;
    switch (common->err->msg_code) {
    case JWRN_HIT_MARKER:
        // Either the end that fill_input_buffer made up, or an end that stands in the middle of the data.
        if (decoder->is_cut_off || decoder->library.unread_marker == JPEG_EOI) {
            decoder->is_cut_off = 1;
            note_end_of_data(decoder);
        }
        decoder->damage_count++;
        break;
    case JWRN_HUFF_BAD_CODE:
    case JWRN_ARITH_BAD_CODE:
    case JWRN_MUST_RESYNC:
    case JWRN_BOGUS_PROGRESSION:
        decoder->damage_count++;
        break;
    default:
        // Stray bytes between markers, an odd JFIF version, an Adobe marker that contradicts: the pixels are right.
        break;
    }
}

static void check_scans(j_common_ptr common) {
    qz_jpeg_decoder *decoder = common->client_data;
    if (decoder->library.input_scan_number > decoder->maximum_scans) {
        snprintf(decoder->message, sizeof decoder->message, "more than %d", decoder->maximum_scans);
        fail(decoder, qz_jpeg_too_many_scans);
    }
}

// The source: the whole file stands in memory, and past its end there is an end-of-image marker.

static void source_nothing(j_decompress_ptr library) { (void)library; }

static boolean fill_input_buffer(j_decompress_ptr library) {
    static const JOCTET end[2] = {0xFF, JPEG_EOI};
    qz_jpeg_decoder *decoder = library->client_data;
    decoder->is_cut_off = 1;
    library->src->next_input_byte = end;
    library->src->bytes_in_buffer = sizeof end;
    return TRUE;
}

static void skip_input_data(j_decompress_ptr library, long count) {
    if (count <= 0) return;
    if ((size_t)count > library->src->bytes_in_buffer) {
        fill_input_buffer(library);
    } else {
        library->src->next_input_byte += count;
        library->src->bytes_in_buffer -= (size_t)count;
    }
}

qz_jpeg_decoder *qz_jpeg_create(const uint8_t *bytes, size_t count) {
    qz_jpeg_decoder *decoder = calloc(1, sizeof *decoder);
    if (!decoder) return NULL;
    decoder->count = count;
    decoder->rows_at_end = -1;
    decoder->library.err = jpeg_std_error(&decoder->errors);
    decoder->errors.error_exit = error_exit;
    decoder->errors.output_message = output_message;
    decoder->errors.emit_message = emit_message;
    decoder->library.client_data = decoder;
    if (setjmp(decoder->escape)) {
        jpeg_destroy_decompress(&decoder->library);
        free(decoder);
        return NULL;
    }
    jpeg_create_decompress(&decoder->library);
    decoder->source.init_source = source_nothing;
    decoder->source.fill_input_buffer = fill_input_buffer;
    decoder->source.skip_input_data = skip_input_data;
    decoder->source.resync_to_restart = jpeg_resync_to_restart;
    decoder->source.term_source = source_nothing;
    decoder->source.next_input_byte = bytes;
    decoder->source.bytes_in_buffer = count;
    decoder->library.src = &decoder->source;
    return decoder;
}

void qz_jpeg_destroy(qz_jpeg_decoder *decoder) {
    if (!decoder) return;
    jpeg_destroy_decompress(&decoder->library);
    free(decoder->row);
    free(decoder);
}

qz_jpeg_status qz_jpeg_read_header(qz_jpeg_decoder *decoder, qz_jpeg_header *header) {
    if (setjmp(decoder->escape)) return decoder->status;
    struct jpeg_decompress_struct *library = &decoder->library;
    jpeg_read_header(library, TRUE);
    header->width = library->image_width;
    header->height = library->image_height;
    header->coefficient_bytes = 0;
    header->scan_start = qz_jpeg_position(decoder);
    if (jpeg_has_multiple_scans(library)) {
        for (int index = 0; index < library->num_components; index++) {
            const jpeg_component_info *component = &library->comp_info[index];
            // The library rounds each component up to whole MCUs.
            int64_t across = (int64_t)component->width_in_blocks + component->h_samp_factor;
            int64_t down = (int64_t)component->height_in_blocks + component->v_samp_factor;
            header->coefficient_bytes += across * down * DCTSIZE2 * (int64_t)sizeof(JCOEF);
        }
    }
    return qz_jpeg_ok;
}

qz_jpeg_status qz_jpeg_start(qz_jpeg_decoder *decoder, int denominator, int maximum_scans, int64_t memory) {
    if (setjmp(decoder->escape)) return decoder->status;
    struct jpeg_decompress_struct *library = &decoder->library;
    decoder->maximum_scans = maximum_scans;
    decoder->progress.progress_monitor = check_scans;
    library->progress = &decoder->progress;
    // The library keeps to this for what it would rather put into a file: the coefficients of several scans.
    library->mem->max_memory_to_use = (long)memory;
    library->scale_num = 1;
    library->scale_denom = (unsigned)denominator;
    switch (library->jpeg_color_space) {
    case JCS_GRAYSCALE:
    case JCS_YCbCr:
    case JCS_RGB:
        // From YCbCr the library takes Y and leaves the chroma untransformed.
        library->out_color_space = JCS_GRAYSCALE;
        break;
    case JCS_CMYK:
    case JCS_YCCK:
        library->out_color_space = JCS_CMYK;
        break;
    default:
        library->out_color_space = library->jpeg_color_space;
        break;
    }
    jpeg_start_decompress(library);
    if (library->output_components > 1) {
        decoder->row = malloc((size_t)library->output_width * (size_t)library->output_components);
        if (!decoder->row) fail(decoder, qz_jpeg_memory);
    }
    return qz_jpeg_ok;
}

int64_t qz_jpeg_output_width(const qz_jpeg_decoder *decoder) { return decoder->library.output_width; }

int64_t qz_jpeg_output_height(const qz_jpeg_decoder *decoder) { return decoder->library.output_height; }

// x / 255, rounded, for x up to 255 * 255.
static inline unsigned divide_by_255(unsigned x) {
    return (x + 128 + ((x + 128) >> 8)) >> 8;
}

static inline uint8_t luma(unsigned red, unsigned green, unsigned blue) {
    return (uint8_t)((19595 * red + 38470 * green + 7471 * blue + 32768) >> 16);
}

static void convert_row(const qz_jpeg_decoder *decoder, uint8_t *pixels) {
    const struct jpeg_decompress_struct *library = &decoder->library;
    const uint8_t *from = decoder->row;
    int channels = library->output_components;
    if (library->out_color_space != JCS_CMYK || channels != 4) {
        // Channels of no known meaning: the first is as good a gray as any.
        for (JDIMENSION x = 0; x < library->output_width; x++) pixels[x] = from[x * (JDIMENSION)channels];
        return;
    }
    // Adobe stores how much light is left, everyone else how much ink is on.
    unsigned flip = library->saw_Adobe_marker ? 0 : 255;
    for (JDIMENSION x = 0; x < library->output_width; x++, from += 4) {
        unsigned key = from[3] ^ flip;
        pixels[x] = (uint8_t)divide_by_255(luma(from[0] ^ flip, from[1] ^ flip, from[2] ^ flip) * key);
    }
}

qz_jpeg_status qz_jpeg_read_rows(qz_jpeg_decoder *decoder, uint8_t *pixels, size_t stride, int64_t rows) {
    struct jpeg_decompress_struct *library = &decoder->library;
    JDIMENSION first = library->output_scanline;
    if (setjmp(decoder->escape)) return decoder->status;
    JDIMENSION wanted = (JDIMENSION)rows;
    if (wanted > library->output_height - first) wanted = library->output_height - first;
    while (library->output_scanline - first < wanted) {
        // Behind the end of the data there is only gray.
        if (decoder->rows_at_end >= 0 && (int64_t)library->output_scanline * library->scale_denom >= decoder->rows_at_end)
            break;
        JDIMENSION at = library->output_scanline - first;
        if (decoder->row) {
            JSAMPROW row = decoder->row;
            if (jpeg_read_scanlines(library, &row, 1) == 1) convert_row(decoder, pixels + at * stride);
        } else {
            JSAMPROW targets[rows_a_call];
            JDIMENSION count = wanted - at < rows_a_call ? wanted - at : rows_a_call;
            for (JDIMENSION index = 0; index < count; index++) targets[index] = pixels + (at + index) * stride;
            jpeg_read_scanlines(library, targets, count);
        }
    }
    return qz_jpeg_ok;
}

qz_jpeg_outcome qz_jpeg_get_outcome(const qz_jpeg_decoder *decoder) {
    const struct jpeg_decompress_struct *library = &decoder->library;
    qz_jpeg_outcome outcome = {library->output_scanline, decoder->is_cut_off, decoder->damage_count};
    if (decoder->rows_at_end >= 0) {
        int64_t whole = decoder->rows_at_end / library->scale_denom;
        if (whole < outcome.whole_rows) outcome.whole_rows = whole;
    }
    return outcome;
}

size_t qz_jpeg_position(const qz_jpeg_decoder *decoder) {
    // Once the end was made up, the library reads from there and no longer from the file.
    if (decoder->is_cut_off) return decoder->count;
    return decoder->count - decoder->source.bytes_in_buffer;
}

const char *qz_jpeg_message(const qz_jpeg_decoder *decoder) {
    return decoder->message;
}

#define QZ_QUOTE(x) #x
#define QZ_TEXT(x) QZ_QUOTE(x)

const char *qz_jpeg_version(void) {
    return QZ_TEXT(LIBJPEG_TURBO_VERSION);
}
