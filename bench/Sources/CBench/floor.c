#include "CBench.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <png.h>
#include <webp/decode.h>

// libjpeg

struct escape {
    struct jpeg_error_mgr errors;
    jmp_buf target;
};

static void leave(j_common_ptr library) { longjmp(((struct escape *)library->err)->target, 1); }
static void keep_silent(j_common_ptr library) { (void)library; }

static int decode_jpeg(const uint8_t *bytes, size_t count) {
    struct jpeg_decompress_struct library;
    struct escape escape;
    uint8_t *volatile pixels = NULL;
    library.err = jpeg_std_error(&escape.errors);
    escape.errors.error_exit = leave;
    escape.errors.output_message = keep_silent;
    if (setjmp(escape.target)) {
        jpeg_destroy_decompress(&library);
        free(pixels);
        return -1;
    }
    jpeg_create_decompress(&library);
    jpeg_mem_src(&library, bytes, count);
    jpeg_read_header(&library, TRUE);
    // libjpeg makes no grey of CMYK: its four channels are then the least that can be asked for.
    int has_black = library.jpeg_color_space == JCS_CMYK || library.jpeg_color_space == JCS_YCCK;
    library.out_color_space = has_black ? JCS_CMYK : JCS_GRAYSCALE;
    jpeg_start_decompress(&library);
    size_t row = (size_t)library.output_width * library.output_components;
    pixels = malloc(row * library.output_height);
    if (pixels == NULL) longjmp(escape.target, 1);
    while (library.output_scanline < library.output_height) {
        JSAMPROW rows[16];
        for (int i = 0; i < 16; i++) {
            size_t y = library.output_scanline + i;
            if (y >= library.output_height) y = library.output_height - 1;
            rows[i] = pixels + y * row;
        }
        jpeg_read_scanlines(&library, rows, 16);
    }
    jpeg_finish_decompress(&library);
    jpeg_destroy_decompress(&library);
    free(pixels);
    return 0;
}

int qzb_write_jpeg(const uint8_t *pixels, int width, int height, int quality, const char *path) {
    FILE *file = fopen(path, "wb");
    if (file == NULL) return -1;
    struct jpeg_compress_struct library;
    struct escape escape;
    library.err = jpeg_std_error(&escape.errors);
    escape.errors.error_exit = leave;
    if (setjmp(escape.target)) {
        jpeg_destroy_compress(&library);
        fclose(file);
        return -1;
    }
    jpeg_create_compress(&library);
    jpeg_stdio_dest(&library, file);
    library.image_width = width;
    library.image_height = height;
    library.input_components = 1;
    library.in_color_space = JCS_GRAYSCALE;
    jpeg_set_defaults(&library);
    jpeg_set_quality(&library, quality, TRUE);
    jpeg_start_compress(&library, TRUE);
    while (library.next_scanline < library.image_height) {
        JSAMPROW row = (JSAMPROW)(pixels + (size_t)library.next_scanline * width);
        jpeg_write_scanlines(&library, &row, 1);
    }
    jpeg_finish_compress(&library);
    jpeg_destroy_compress(&library);
    return fclose(file) == 0 ? 0 : -1;
}

// libpng

struct cursor {
    const uint8_t *bytes;
    size_t left;
};

static void take(png_structp library, png_bytep target, size_t count) {
    struct cursor *cursor = png_get_io_ptr(library);
    if (count > cursor->left) png_error(library, "cut off");
    memcpy(target, cursor->bytes, count);
    cursor->bytes += count;
    cursor->left -= count;
}

static void ignore(png_structp library, png_const_charp text) { (void)library, (void)text; }

static int decode_png(const uint8_t *bytes, size_t count) {
    struct cursor cursor = {bytes, count};
    uint8_t *volatile pixels = NULL;
    png_bytep *volatile rows = NULL;
    png_structp library = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, ignore);
    png_infop info = library ? png_create_info_struct(library) : NULL;
    if (info == NULL) return -1;
    if (setjmp(png_jmpbuf(library))) {
        png_destroy_read_struct(&library, &info, NULL);
        free(pixels);
        free(rows);
        return -1;
    }
    png_set_read_fn(library, &cursor, take);
    png_read_info(library, info);
    png_set_expand(library);
    png_set_scale_16(library);
    png_set_strip_alpha(library);
    if (png_get_color_type(library, info) & PNG_COLOR_MASK_COLOR) {
        png_set_rgb_to_gray_fixed(library, PNG_ERROR_ACTION_NONE, -1, -1);
    }
    png_set_interlace_handling(library);
    png_read_update_info(library, info);
    size_t height = png_get_image_height(library, info);
    size_t row = png_get_rowbytes(library, info);
    pixels = malloc(row * height);
    rows = malloc(sizeof(png_bytep) * height);
    if (pixels == NULL || rows == NULL) png_error(library, "no memory");
    for (size_t y = 0; y < height; y++) rows[y] = pixels + y * row;
    png_read_image(library, rows);
    png_destroy_read_struct(&library, &info, NULL);
    free(pixels);
    free(rows);
    return 0;
}

// libwebp: the plane Y of a lossy picture; a lossless one is converted.

static int decode_webp(const uint8_t *bytes, size_t count) {
    int width, height, stride, chroma_stride;
    uint8_t *u, *v;
    uint8_t *y = WebPDecodeYUV(bytes, count, &width, &height, &u, &v, &stride, &chroma_stride);
    WebPFree(y);
    return y == NULL ? -1 : 0;
}

int qzb_floor_decode(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) return -1;
    int result = -1;
    uint8_t *bytes = NULL;
    long count = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    if (count > 0) bytes = malloc(count);
    if (bytes != NULL) {
        rewind(file);
        if (fread(bytes, 1, count, file) == (size_t)count) {
            if (count > 2 && memcmp(bytes, "\xFF\xD8", 2) == 0) {
                result = decode_jpeg(bytes, count);
            } else if (count > 4 && memcmp(bytes, "\x89PNG", 4) == 0) {
                result = decode_png(bytes, count);
            } else if (count > 4 && memcmp(bytes, "RIFF", 4) == 0) {
                result = decode_webp(bytes, count);
            } else {
                result = 0;
            }
        }
    }
    free(bytes);
    fclose(file);
    return result;
}
