/*
 * Tests the C library: what it reads, misuse, cancellation, threads and workers.
 *
 * usage: test_library SAMPLES DECODE-IMAGE SILENT-PROGRAM PIXELS WIDTH HEIGHT
 *
 * SILENT-PROGRAM is a worker that never answers. PIXELS is a file with the gray pixels of SAMPLES/qr.png. Memory that
 * the library is given ends at a page that cannot be read, so that reading a byte too many ends this program.
 */
#include <quietzone/quietzone.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define QR_TEXT "https://example.org/quietzone"

static const char *samples, *program, *silent;
static uint8_t *gray;
static uint32_t width, height;
static int failures;

static void expect(int holds, const char *group, const char *name) {
    if (holds) return;
    printf("FAILED: %s: %s\n", group, name);
    failures++;
}

/* Returns memory whose end is followed by a page that cannot be read. */
static uint8_t *guarded(size_t size) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), whole = (size + page - 1) / page * page;
    uint8_t *start = mmap(NULL, whole + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED || mprotect(start + whole, page, PROT_NONE) != 0) abort();
    return start + whole - size;
}

static char *sample(const char *name) {
    static char path[4096];
    snprintf(path, sizeof path, "%s/%s", samples, name);
    return path;
}

static uint8_t *file_bytes(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) abort();
    *size = (size_t)ftell(file);
    rewind(file);
    uint8_t *bytes = guarded(*size);
    if (fread(bytes, 1, *size, file) != *size) abort();
    fclose(file);
    return bytes;
}

static int has_qr_text(const quietzone_result *result) {
    size_t size = 0;
    const char *text = quietzone_symbol_text(result, 0, &size);
    return quietzone_result_count(result) == 1 && size == strlen(QR_TEXT) && strcmp(text, QR_TEXT) == 0;
}

static void test_library(void) {
    expect(quietzone_abi_version() == QUIETZONE_ABI_VERSION, "library", "ABI version");
    expect(strchr(quietzone_version(), '.') != NULL, "library", "version");
    expect(strstr(quietzone_formats(), "qr_code,") != NULL, "library", "formats");
    expect(strstr(quietzone_status_text(QUIETZONE_TOO_LARGE), "limit") != NULL, "library", "text of a status");
    expect(
        strcmp(quietzone_status_text((quietzone_status)12345), quietzone_status_text(QUIETZONE_OTHER_ERROR)) == 0,
        "library", "text of an unknown status");
}

static void test_reading(void) {
    quietzone_context *context = quietzone_context_new();
    quietzone_result *result = NULL;
    expect(quietzone_decode_file(context, sample("qr.png"), &result) == QUIETZONE_OK, "file", "status");
    /* A result does not need its context. */
    quietzone_context_free(context);
    size_t size = 0;
    double corners[8];
    const double expected[8] = {16, 16, 116, 16, 116, 116, 16, 116};
    expect(quietzone_result_status(result) == QUIETZONE_OK, "file", "status of the result");
    expect(strcmp(quietzone_result_message(result), "") == 0, "file", "no message");
    expect(has_qr_text(result), "file", "text");
    expect(
        memcmp(quietzone_symbol_bytes(result, 0, &size), QR_TEXT, strlen(QR_TEXT)) == 0 && size == strlen(QR_TEXT),
        "file", "bytes");
    expect(strcmp(quietzone_symbol_format(result, 0), "qr_code") == 0, "file", "format");
    expect(strcmp(quietzone_symbol_identifier(result, 0), "]Q1") == 0, "file", "identifier");
    expect(quietzone_symbol_corners(result, 0, corners) == QUIETZONE_OK, "file", "corners");
    for (size_t i = 0; i < COUNT(corners); i++)
        expect(corners[i] > expected[i] - 0.5 && corners[i] < expected[i] + 0.5, "file", "a corner");
    expect(quietzone_result_width(result) == width && quietzone_result_height(result) == height, "file", "size");
    const char *json = quietzone_result_json(result, &size);
    expect(strlen(json) == size && json[0] == '{' && strstr(json, "\"schema\":1") != NULL, "file", "JSON");
    expect(quietzone_result_json(result, NULL) == json, "file", "JSON stays at its address");
    json = quietzone_symbol_json(result, 0, &size);
    expect(strlen(json) == size && strstr(json, "\"errorCorrectionLevel\":\"L\"") != NULL, "file", "JSON of a symbol");
    expect(quietzone_symbol_json(result, 0, NULL) == json, "file", "JSON of a symbol stays at its address");
    quietzone_result_free(result);

    context = quietzone_context_new();
    uint8_t *bytes = file_bytes(sample("order-form.png"), &size);
    expect(quietzone_decode_bytes(context, bytes, size, &result) == QUIETZONE_OK, "bytes", "status");
    expect(quietzone_result_count(result) == 5, "bytes", "symbols");
    quietzone_result_free(result);
    quietzone_set_formats(context, "ean_13,itf");
    quietzone_decode_bytes(context, bytes, size, &result);
    expect(quietzone_result_count(result) == 2, "bytes", "symbols of two formats");
    quietzone_result_free(result);
    quietzone_set_formats(context, NULL);
    quietzone_set_option(context, QUIETZONE_MAXIMUM_COUNT, 1);
    quietzone_decode_bytes(context, bytes, size, &result);
    expect(quietzone_result_count(result) == 1, "bytes", "one symbol");
    quietzone_result_free(result);
    quietzone_set_option(context, QUIETZONE_CONTENT, 1);
    quietzone_decode_file(context, sample("data-matrix-gs1.png"), &result);
    expect(strstr(quietzone_result_json(result, NULL), "\"content\":{") != NULL, "file", "content in the JSON");
    expect(strstr(quietzone_symbol_json(result, 0, NULL), "\"content\":{") != NULL, "file", "content of a symbol");
    quietzone_result_free(result);
    quietzone_context_free(context);
}

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

static void test_pixels(void) {
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

static void test_misuse_of_pixels(void) {
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

static void test_errors(void) {
    quietzone_context *context = quietzone_context_new(), *freed = quietzone_context_new();
    quietzone_context_free(freed);
    quietzone_context_free(freed);
    quietzone_context_free(NULL);
    quietzone_context *address = (quietzone_context *)&failures;
    const struct {
        const char *name;
        quietzone_context *context;
        const char *path;
        quietzone_status status;
    } files[] = {
        {"null context", NULL, "x", QUIETZONE_NULL_POINTER},
        {"freed context", freed, "x", QUIETZONE_INVALID_HANDLE},
        {"address of something else", address, "x", QUIETZONE_INVALID_HANDLE},
        {"null path", context, NULL, QUIETZONE_NULL_POINTER},
        {"missing file", context, "no-such-file.png", QUIETZONE_NOT_FOUND},
        {"folder", context, samples, QUIETZONE_IS_DIRECTORY},
        {"no picture", context, program, QUIETZONE_UNSUPPORTED_FORMAT},
    };
    quietzone_result *result;
    for (size_t i = 0; i < COUNT(files); i++) {
        expect(
            quietzone_decode_file(files[i].context, files[i].path, &result) == files[i].status, "file", files[i].name);
        expect(strlen(quietzone_result_message(result)) > 20, "message", files[i].name);
        quietzone_result_free(result);
        expect(
            quietzone_decode_file_in_worker(files[i].context, files[i].path, NULL) == QUIETZONE_NULL_POINTER,
            "null result", files[i].name);
    }
    quietzone_decode_file(context, "no-such-file.png", &result);
    expect(strstr(quietzone_result_message(result), "no-such-file.png: ") != NULL, "message", "names the file");
    quietzone_result_free(result);

    const struct {
        const char *name;
        const void *bytes;
        size_t size;
        quietzone_status status;
    } bytes[] = {
        {"empty", "", 0, QUIETZONE_EMPTY_FILE},
        {"empty and null", NULL, 0, QUIETZONE_EMPTY_FILE},
        {"null", NULL, 9, QUIETZONE_NULL_POINTER},
        {"no picture", "hello", 5, QUIETZONE_UNSUPPORTED_FORMAT},
        {"beyond the limit", "hello", (size_t)1 << 40, QUIETZONE_TOO_LARGE},
        {"largest size", "hello", SIZE_MAX, QUIETZONE_TOO_LARGE},
        {"cut off", "\x89PNG\r\n\x1a\n", 8, QUIETZONE_CORRUPT},
    };
    for (size_t i = 0; i < COUNT(bytes); i++) {
        expect(
            quietzone_decode_bytes(context, bytes[i].bytes, bytes[i].size, &result) == bytes[i].status, "bytes",
            bytes[i].name);
        quietzone_result_free(result);
    }

    const struct {
        const char *name;
        int option;
        int64_t value;
        quietzone_status status;
    } options[] = {
        {"no effort", QUIETZONE_EFFORT, 3, QUIETZONE_INVALID_OPTION},
        {"negative effort", QUIETZONE_EFFORT, -1, QUIETZONE_INVALID_OPTION},
        {"negative budget", QUIETZONE_TIME_BUDGET, -1, QUIETZONE_INVALID_OPTION},
        {"endless budget", QUIETZONE_TIME_BUDGET, INT64_MAX, QUIETZONE_INVALID_OPTION},
        {"no pixels", QUIETZONE_MAXIMUM_PIXELS, 0, QUIETZONE_INVALID_OPTION},
        {"page 0", QUIETZONE_PAGE, 0, QUIETZONE_INVALID_OPTION},
        {"resolution of 1", QUIETZONE_RESOLUTION, 1, QUIETZONE_INVALID_OPTION},
        {"content of 2", QUIETZONE_CONTENT, 2, QUIETZONE_INVALID_OPTION},
        {"no workers", QUIETZONE_WORKERS, 0, QUIETZONE_INVALID_OPTION},
        {"unknown option", 1000, 1, QUIETZONE_INVALID_OPTION},
        {"thorough", QUIETZONE_EFFORT, QUIETZONE_EFFORT_THOROUGH, QUIETZONE_OK},
        {"any budget", QUIETZONE_TIME_BUDGET, 0, QUIETZONE_OK},
        {"all symbols", QUIETZONE_MAXIMUM_COUNT, 0, QUIETZONE_OK},
        {"resolution", QUIETZONE_RESOLUTION, 300, QUIETZONE_OK},
    };
    for (size_t i = 0; i < COUNT(options); i++)
        expect(
            quietzone_set_option(context, (quietzone_option)options[i].option, options[i].value) == options[i].status,
            "option", options[i].name);
    expect(quietzone_set_option(freed, QUIETZONE_PAGE, 1) == QUIETZONE_INVALID_HANDLE, "option", "freed context");
    expect(quietzone_set_option(NULL, QUIETZONE_PAGE, 1) == QUIETZONE_NULL_POINTER, "option", "null context");
    expect(quietzone_set_formats(context, "qr_code,nothing") == QUIETZONE_UNKNOWN_FORMAT, "formats", "unknown");
    expect(quietzone_set_formats(context, "") == QUIETZONE_UNKNOWN_FORMAT, "formats", "none");
    expect(quietzone_set_formats(context, quietzone_formats()) == QUIETZONE_OK, "formats", "all");
    expect(quietzone_set_worker_program(context, "/nothing") == QUIETZONE_NO_WORKER, "worker program", "missing");
    expect(quietzone_set_worker_program(context, "sh") == QUIETZONE_NO_WORKER, "worker program", "without a folder");
    expect(quietzone_set_worker_program(context, NULL) == QUIETZONE_NULL_POINTER, "worker program", "null");
    expect(quietzone_cancel(freed) == QUIETZONE_INVALID_HANDLE, "cancel", "freed context");

    /* A result that was freed, a context in place of a result, and an index that is not there. */
    quietzone_decode_file(context, sample("qr.png"), &result);
    double corners[8];
    size_t size = 1;
    const size_t indices[] = {1, SIZE_MAX};
    for (size_t i = 0; i < COUNT(indices); i++) {
        expect(quietzone_symbol_text(result, indices[i], &size) == NULL && size == 0, "index", "text");
        expect(quietzone_symbol_bytes(result, indices[i], NULL) == NULL, "index", "bytes");
        expect(quietzone_symbol_json(result, indices[i], NULL) == NULL, "index", "JSON");
        expect(quietzone_symbol_format(result, indices[i]) == NULL, "index", "format");
        expect(quietzone_symbol_identifier(result, indices[i]) == NULL, "index", "identifier");
        expect(quietzone_symbol_corners(result, indices[i], corners) == QUIETZONE_NO_SUCH_SYMBOL, "index", "corners");
    }
    expect(quietzone_symbol_corners(result, 0, NULL) == QUIETZONE_NULL_POINTER, "corners", "null");
    quietzone_result_free(result);
    quietzone_result_free(result);
    const quietzone_result *others[] = {result, (quietzone_result *)context, NULL};
    for (size_t i = 0; i < COUNT(others); i++) {
        expect(
            quietzone_result_status(others[i])
                == (others[i] == NULL ? QUIETZONE_NULL_POINTER : QUIETZONE_INVALID_HANDLE),
            "no result", "status");
        expect(quietzone_result_message(others[i]) == NULL, "no result", "message");
        expect(quietzone_result_json(others[i], NULL) == NULL, "no result", "JSON");
        expect(quietzone_result_count(others[i]) == 0, "no result", "count");
        expect(quietzone_result_width(others[i]) == 0 && quietzone_result_height(others[i]) == 0, "no result", "size");
        expect(quietzone_symbol_text(others[i], 0, NULL) == NULL, "no result", "text");
    }
    quietzone_context_free(context);
}

/* A picture whose search takes long: noise, at the greatest effort. */
enum { NOISE_SIDE = 1500 };
static uint8_t *noise;

struct call {
    quietzone_context *context;
    int in_worker;
    quietzone_status status;
    volatile int is_done;
};

static void *decode_noise(void *argument) {
    struct call *call = argument;
    quietzone_result *result = NULL;
    call->status = (call->in_worker ? quietzone_decode_pixels_in_worker : quietzone_decode_pixels)(
        call->context, noise, (size_t)NOISE_SIDE * NOISE_SIDE, NOISE_SIDE, NOISE_SIDE, 0, QUIETZONE_GRAY, &result);
    quietzone_result_free(result);
    __atomic_store_n(&call->is_done, 1, __ATOMIC_RELEASE);
    return NULL;
}

static void test_ends(void) {
    quietzone_context *context = quietzone_context_new();
    quietzone_set_worker_program(context, program);
    quietzone_set_option(context, QUIETZONE_EFFORT, QUIETZONE_EFFORT_THOROUGH);
    for (int in_worker = 0; in_worker < 2; in_worker++) {
        struct call call = {context, in_worker, QUIETZONE_OK, 0};
        pthread_t thread;
        pthread_create(&thread, NULL, decode_noise, &call);
        /* Again and again, because the call may not have begun yet. */
        while (!__atomic_load_n(&call.is_done, __ATOMIC_ACQUIRE)) {
            quietzone_cancel(context);
            usleep(1000);
        }
        pthread_join(thread, NULL);
        expect(call.status == QUIETZONE_CANCELLED, "cancel", in_worker ? "in a worker" : "in this process");
        quietzone_result *result;
        (in_worker ? quietzone_decode_file_in_worker : quietzone_decode_file)(context, sample("qr.png"), &result);
        expect(has_qr_text(result), "after a cancel", in_worker ? "in a worker" : "in this process");
        quietzone_result_free(result);
    }
    /* No machine searches that picture in a millisecond. */
    quietzone_set_option(context, QUIETZONE_TIME_BUDGET, 1);
    quietzone_result *result;
    expect(
        quietzone_decode_pixels(
            context, noise, (size_t)NOISE_SIDE * NOISE_SIDE, NOISE_SIDE, NOISE_SIDE, 0, QUIETZONE_GRAY, &result)
            == QUIETZONE_OK,
        "time budget", "status");
    expect(strstr(quietzone_result_json(result, NULL), "\"search_cut_short\"") != NULL, "time budget", "warning");
    quietzone_result_free(result);
    quietzone_context_free(context);
}

static void test_workers(void) {
    quietzone_context *context = quietzone_context_new();
    quietzone_result *result;
    size_t size;
    quietzone_set_worker_program(context, program);
    quietzone_set_option(context, QUIETZONE_WORKERS, 1);
    expect(
        quietzone_decode_file_in_worker(context, sample("qr.png"), &result) == QUIETZONE_OK && has_qr_text(result),
        "worker", "file");
    quietzone_result_free(result);
    uint8_t *bytes = file_bytes(sample("order-form.png"), &size);
    expect(
        quietzone_decode_bytes_in_worker(context, bytes, size, &result) == QUIETZONE_OK
            && quietzone_result_count(result) == 5,
        "worker", "bytes");
    quietzone_result_free(result);
    uint8_t *pixels = guarded((size_t)width * height);
    memcpy(pixels, gray, (size_t)width * height);
    expect(
        quietzone_decode_pixels_in_worker(
            context, pixels, (size_t)width * height, width, height, 0, QUIETZONE_GRAY, &result)
                == QUIETZONE_OK
            && has_qr_text(result),
        "worker", "pixels");
    quietzone_result_free(result);
    expect(
        quietzone_decode_pixels_in_worker(context, pixels, 1, width, height, 0, QUIETZONE_GRAY, &result)
            == QUIETZONE_INVALID_PIXELS,
        "worker", "pixels that are not there");
    quietzone_result_free(result);
    expect(
        quietzone_decode_file_in_worker(context, "no-such-file.png", &result) == QUIETZONE_NOT_FOUND, "worker",
        "missing file");
    expect(strstr(quietzone_result_message(result), "no-such-file.png: ") != NULL, "worker", "message");
    quietzone_result_free(result);
    quietzone_context_free(context);

    const struct {
        const char *name, *program;
        int64_t timeout;
        quietzone_status status;
    } cases[] = {
        {"that ends at once", "/bin/false", 30000, QUIETZONE_READER_CRASHED},
        {"that is silent", silent, 200, QUIETZONE_TIMED_OUT},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        context = quietzone_context_new();
        quietzone_set_worker_program(context, cases[i].program);
        quietzone_set_option(context, QUIETZONE_WORKER_TIMEOUT, cases[i].timeout);
        const quietzone_status status = quietzone_decode_file_in_worker(context, sample("qr.png"), &result);
        expect(status == cases[i].status, "worker", cases[i].name);
        quietzone_result_free(result);
        quietzone_context_free(context);
    }
}

enum { THREADS = 8, ROUNDS = 20 };

struct shared {
    quietzone_context *context;
    quietzone_result *result;
    int failures;
};

static void *use_shared(void *argument) {
    struct shared *shared = argument;
    int failed = 0;
    for (int round = 0; round < ROUNDS; round++) {
        quietzone_result *result;
        quietzone_decode_pixels(
            shared->context, gray, (size_t)width * height, width, height, 0, QUIETZONE_GRAY, &result);
        failed += !has_qr_text(result);
        quietzone_result_free(result);
        /* Options change while others decode, to values that read the same. */
        quietzone_set_option(shared->context, QUIETZONE_EFFORT, round % 3);
        quietzone_set_formats(shared->context, round % 2 ? "qr_code,code_128" : NULL);
        failed += !has_qr_text(shared->result) || quietzone_result_json(shared->result, NULL)[0] != '{';
        failed += quietzone_symbol_json(shared->result, 0, NULL)[0] != '{';
    }
    __atomic_add_fetch(&shared->failures, failed, __ATOMIC_RELAXED);
    return NULL;
}

static void *use_freed(void *argument) {
    struct shared *shared = argument;
    int failed = 0;
    for (int round = 0; round < ROUNDS; round++) {
        quietzone_result *result;
        const quietzone_status status = quietzone_decode_pixels(
            shared->context, gray, (size_t)width * height, width, height, 0, QUIETZONE_GRAY, &result);
        failed += status == QUIETZONE_OK ? !has_qr_text(result) : status != QUIETZONE_INVALID_HANDLE;
        quietzone_result_free(result);
    }
    __atomic_add_fetch(&shared->failures, failed, __ATOMIC_RELAXED);
    return NULL;
}

static void test_threads(void) {
    struct shared shared = {quietzone_context_new(), NULL, 0};
    pthread_t threads[THREADS];
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 256 << 10);
    quietzone_decode_file(shared.context, sample("qr.png"), &shared.result);
    for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], &attributes, use_shared, &shared);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    expect(shared.failures == 0, "threads", "one context and one result");
    quietzone_result_free(shared.result);
    for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], &attributes, use_freed, &shared);
    quietzone_context_free(shared.context);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    expect(shared.failures == 0, "threads", "a context that is freed meanwhile");
}

int main(int count, char **arguments) {
    if (count != 7) return 64;
    samples = arguments[1];
    program = arguments[2];
    size_t size;
    silent = arguments[3];
    gray = file_bytes(arguments[4], &size);
    width = (uint32_t)atoi(arguments[5]);
    height = (uint32_t)atoi(arguments[6]);
    if (size != (size_t)width * height) return 64;
    noise = guarded((size_t)NOISE_SIDE * NOISE_SIDE);
    uint32_t state = 1;
    for (size_t i = 0; i < (size_t)NOISE_SIDE * NOISE_SIDE; i++) {
        state = state * 1664525 + 1013904223;
        noise[i] = (uint8_t)(state >> 24);
    }
    test_library();
    test_reading();
    test_pixels();
    test_misuse_of_pixels();
    test_errors();
    test_ends();
    test_workers();
    test_threads();
    printf("C: %d failed\n", failures);
    return failures != 0;
}
