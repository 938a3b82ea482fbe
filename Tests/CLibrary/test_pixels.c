/* Tests raw pixels: their formats, rows, and arguments that contradict each other. */
#include "test_library.h"

#include <stdint.h>
#include <string.h>

/* A format of pixels: its bytes a pixel, and where the luma goes. */
static const struct {
    const char *name;
    quietzone_pixel_format format;
    size_t step;
    int channels[3], alpha;
} formats[] = {
    {"gray", QUIETZONE_GRAY, 1, {0, 0, 0}, -1},   {"RGB", QUIETZONE_RGB, 3, {0, 1, 2}, -1},
    {"BGR", QUIETZONE_BGR, 3, {0, 1, 2}, -1},     {"RGBX", QUIETZONE_RGBX, 4, {0, 1, 2}, -1},
    {"BGRX", QUIETZONE_BGRX, 4, {0, 1, 2}, -1},   {"RGBA", QUIETZONE_RGBA, 4, {0, 1, 2}, 3},
    {"BGRA", QUIETZONE_BGRA, 4, {0, 1, 2}, 3},    {"planes", QUIETZONE_YUV_PLANES, 1, {0, 0, 0}, -1},
    {"YUYV", QUIETZONE_YUYV, 2, {0, 0, 0}, -1},   {"UYVY", QUIETZONE_UYVY, 2, {1, 1, 1}, -1},
};

void test_pixels(void) {
    quietzone_context *context = quietzone_context_new();
    quietzone_result *result;
    for (size_t i = 0; i < COUNT(formats); i++) {
        const size_t step = formats[i].step, paddings[] = {0, 1, 13};
        for (size_t padding = 0; padding < COUNT(paddings); padding++) {
            const size_t stride = step * width + paddings[padding];
            /* The last row lacks its padding. */
            const size_t size = stride * (height - 1) + step * width;
            uint8_t *pixels = guarded(size);
            /* What is no luma and no alpha is noise. */
            for (size_t byte = 0; byte < size; byte++) pixels[byte] = (uint8_t)(byte * 40503 >> 7);
            for (uint32_t y = 0; y < height; y++)
                for (uint32_t x = 0; x < width; x++) {
                    uint8_t *pixel = pixels + y * stride + x * step;
                    for (int channel = 0; channel < 3; channel++)
                        pixel[formats[i].channels[channel]] = gray[y * width + x];
                    if (formats[i].alpha < 0) continue;
                    /* What is light is transparent, and black below that: white is behind it. */
                    pixel[formats[i].alpha] = (uint8_t)(255 - gray[y * width + x]);
                    pixel[0] = pixel[1] = pixel[2] = 0;
                }
            quietzone_status status = quietzone_decode_pixels(
                context, pixels, size, width, height, padding == 0 ? 0 : stride, formats[i].format, &result);
            expect(status == QUIETZONE_OK && has_qr_text(result), "pixels", formats[i].name);
            quietzone_result_free(result);
            status = quietzone_decode_pixels(
                context, pixels, size - 1, width, height, stride, formats[i].format, &result);
            expect(status == QUIETZONE_INVALID_PIXELS, "pixels, a byte too few", formats[i].name);
            quietzone_result_free(result);
        }
    }
    /* Red and blue have different weights: a symbol in red on white is seen, by its luma, in the right order only. */
    const struct {
        const char *name;
        quietzone_pixel_format format;
        int is_read;
    } orders[] = {{"blue read as RGB", QUIETZONE_RGB, 1}, {"blue read as BGR", QUIETZONE_BGR, 0}};
    uint8_t *pixels = guarded((size_t)width * height * 3);
    for (size_t i = 0; i < (size_t)width * height; i++) {
        /* Of equal luma, if the channels are taken for BGR. */
        pixels[3 * i] = gray[i] < 128 ? 0 : 255;
        pixels[3 * i + 1] = 100;
        pixels[3 * i + 2] = gray[i] < 128 ? 97 : 0;
    }
    for (size_t i = 0; i < COUNT(orders); i++) {
        quietzone_decode_pixels(
            context, pixels, (size_t)width * height * 3, width, height, 0, orders[i].format, &result);
        expect((quietzone_result_count(result) == 1) == orders[i].is_read, "order of colors", orders[i].name);
        quietzone_result_free(result);
    }
    quietzone_context_free(context);
}

void test_misuse_of_pixels(void) {
    quietzone_context *context = quietzone_context_new();
    const size_t size = (size_t)width * height;
    uint8_t *pixels = guarded(size);
    memcpy(pixels, gray, size);
    const struct {
        const char *name;
        const void *pixels;
        size_t size;
        uint32_t width, height;
        size_t stride;
        int format;
        quietzone_status status;
    } cases[] = {
        {"null pointer", NULL, size, width, height, 0, QUIETZONE_GRAY, QUIETZONE_NULL_POINTER},
        {"no bytes", pixels, 0, width, height, 0, QUIETZONE_GRAY, QUIETZONE_INVALID_PIXELS},
        {"stride below the width", pixels, size, width, height, width - 1, QUIETZONE_GRAY, QUIETZONE_INVALID_PIXELS},
        {"stride too large", pixels, size, width, height, width + 1, QUIETZONE_GRAY, QUIETZONE_INVALID_PIXELS},
        {"stride of one bit", pixels, size, width, height, (size_t)1 << 63, QUIETZONE_GRAY, QUIETZONE_INVALID_PIXELS},
        {"largest stride", pixels, size, width, height, SIZE_MAX, QUIETZONE_GRAY, QUIETZONE_INVALID_PIXELS},
        {"stride that overflows", pixels, size, width, height, SIZE_MAX / 4, QUIETZONE_GRAY, QUIETZONE_INVALID_PIXELS},
        {"stride of gray for RGB", pixels, size, width, height, width, QUIETZONE_RGB, QUIETZONE_INVALID_PIXELS},
        {"too few rows", pixels, size, width, height + 1, width, QUIETZONE_GRAY, QUIETZONE_INVALID_PIXELS},
        {"size beyond SSIZE_MAX", pixels, SIZE_MAX, width, height, 0, QUIETZONE_GRAY, QUIETZONE_INVALID_PIXELS},
        {"no width", pixels, size, 0, height, 0, QUIETZONE_GRAY, QUIETZONE_CORRUPT},
        {"no height", pixels, size, width, 0, 0, QUIETZONE_GRAY, QUIETZONE_CORRUPT},
        {"largest sides", pixels, size, UINT32_MAX, UINT32_MAX, 0, QUIETZONE_BGRA, QUIETZONE_TOO_LARGE},
        {"unknown format", pixels, size, width, height, 0, 1000, QUIETZONE_INVALID_PIXELS},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        quietzone_result *result = NULL;
        const quietzone_status status = quietzone_decode_pixels(
            context, cases[i].pixels, cases[i].size, cases[i].width, cases[i].height, cases[i].stride,
            (quietzone_pixel_format)cases[i].format, &result);
        expect(status == cases[i].status, "misuse of pixels", cases[i].name);
        expect(quietzone_result_status(result) == status, "status of a misuse", cases[i].name);
        expect(strlen(quietzone_result_message(result)) > 20, "message of a misuse", cases[i].name);
        expect(quietzone_result_count(result) == 0, "symbols of a misuse", cases[i].name);
        expect(strstr(quietzone_result_json(result, NULL), "\"code\":\"") != NULL, "JSON of a misuse", cases[i].name);
        quietzone_result_free(result);
    }
    /* Without limits, the sides of the largest picture overflow when they are multiplied. */
    quietzone_set_option(context, QUIETZONE_MAXIMUM_PIXELS, INT64_MAX);
    quietzone_set_option(context, QUIETZONE_MAXIMUM_SIDE, INT64_MAX);
    quietzone_result *result = NULL;
    expect(
        quietzone_decode_pixels(context, pixels, size, UINT32_MAX, UINT32_MAX, 0, QUIETZONE_BGRA, &result)
            == QUIETZONE_TOO_LARGE,
        "misuse of pixels", "largest sides without limits");
    quietzone_result_free(result);
    quietzone_context_free(context);
}
