#include "qz_jpeg.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <jerror.h>

enum { rows_a_call = 16, least_room = 16384 };

// On the heap, as nothing that changes after setjmp may be a local.
typedef struct {
    struct jpeg_compress_struct library;
    struct jpeg_error_mgr errors;
    struct jpeg_destination_mgr destination;
    uint8_t *bytes;
    size_t room;
    jmp_buf escape;
    qz_jpeg_status status;
} qz_jpeg_encoder;

static _Noreturn void fail(qz_jpeg_encoder *encoder, qz_jpeg_status status) {
    encoder->status = status;
    longjmp(encoder->escape, 1);
}

static void error_exit(j_common_ptr library) {
    switch (library->err->msg_code) {
    case JERR_OUT_OF_MEMORY:
        fail(library->client_data, qz_jpeg_memory);
    case JERR_IMAGE_TOO_BIG:
    case JERR_WIDTH_OVERFLOW:
        fail(library->client_data, qz_jpeg_too_large);
    default:
        fail(library->client_data, qz_jpeg_unsupported);
    }
}

static void output_message(j_common_ptr library) { (void)library; }

static void emit_message(j_common_ptr library, int level) {
    (void)library;
    (void)level;
}

static void lend_room(qz_jpeg_encoder *encoder, size_t used) {
    encoder->destination.next_output_byte = encoder->bytes + used;
    encoder->destination.free_in_buffer = encoder->room - used;
}

static void init_destination(j_compress_ptr library) {
    lend_room(library->client_data, 0);
}

static boolean empty_output_buffer(j_compress_ptr library) {
    qz_jpeg_encoder *encoder = library->client_data;
    // Called when there is no room left, whatever free_in_buffer says.
    size_t used = encoder->room;
    uint8_t *grown = realloc(encoder->bytes, 2 * used);
    if (!grown) fail(encoder, qz_jpeg_memory);
    encoder->bytes = grown;
    encoder->room = 2 * used;
    lend_room(encoder, used);
    return TRUE;
}

static void term_destination(j_compress_ptr library) { (void)library; }

static void compress(
    qz_jpeg_encoder *encoder, const uint8_t *pixels, size_t stride, int64_t width, int64_t height, int quality
) {
    struct jpeg_compress_struct *library = &encoder->library;
    jpeg_create_compress(library);
    encoder->destination.init_destination = init_destination;
    encoder->destination.empty_output_buffer = empty_output_buffer;
    encoder->destination.term_destination = term_destination;
    library->dest = &encoder->destination;
    if (width > JPEG_MAX_DIMENSION || height > JPEG_MAX_DIMENSION) fail(encoder, qz_jpeg_too_large);
    library->image_width = (JDIMENSION)width;
    library->image_height = (JDIMENSION)height;
    library->input_components = 1;
    library->in_color_space = JCS_GRAYSCALE;
    jpeg_set_defaults(library);
    jpeg_set_quality(library, quality, TRUE);
    jpeg_start_compress(library, TRUE);
    while (library->next_scanline < library->image_height) {
        JSAMPROW rows[rows_a_call];
        JDIMENSION at = library->next_scanline;
        JDIMENSION count = library->image_height - at < rows_a_call ? library->image_height - at : rows_a_call;
        // The library reads from the rows only; its type knows no const.
        for (JDIMENSION index = 0; index < count; index++) rows[index] = (JSAMPROW)(pixels + (at + index) * stride);
        jpeg_write_scanlines(library, rows, count);
    }
    jpeg_finish_compress(library);
}

qz_jpeg_status qz_jpeg_encode(
    const uint8_t *pixels, size_t stride, int64_t width, int64_t height, int quality, uint8_t **bytes, size_t *count
) {
    qz_jpeg_encoder *encoder = calloc(1, sizeof *encoder);
    if (!encoder) return qz_jpeg_memory;
    encoder->room = least_room;
    encoder->bytes = malloc(encoder->room);
    encoder->status = encoder->bytes ? qz_jpeg_ok : qz_jpeg_memory;
    encoder->library.err = jpeg_std_error(&encoder->errors);
    encoder->errors.error_exit = error_exit;
    encoder->errors.output_message = output_message;
    encoder->errors.emit_message = emit_message;
    encoder->library.client_data = encoder;
    if (encoder->bytes && setjmp(encoder->escape) == 0) compress(encoder, pixels, stride, width, height, quality);
    qz_jpeg_status status = encoder->status;
    if (status == qz_jpeg_ok) {
        *bytes = encoder->bytes;
        *count = encoder->room - encoder->destination.free_in_buffer;
    } else {
        free(encoder->bytes);
    }
    // Also right for one that was never created: its memory manager is NULL.
    jpeg_destroy_compress(&encoder->library);
    free(encoder);
    return status;
}
