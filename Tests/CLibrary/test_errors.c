/* Tests errors of files and bytes, and misuse of options and results. */
#include "test_library.h"

#include <stdint.h>
#include <string.h>

void test_errors(void) {
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
    quietzone_context_free(context);
}

void test_misuse_of_options(void) {
    quietzone_context *context = quietzone_context_new(), *freed = quietzone_context_new();
    quietzone_context_free(freed);
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
    const uint8_t no_key[3] = {1, 2, 3};
    expect(quietzone_add_signing_key(context, no_key, 3, "x") == QUIETZONE_INVALID_KEY, "key", "no key");
    expect(quietzone_add_signing_key(context, no_key, 0, "x") == QUIETZONE_INVALID_KEY, "key", "no bytes");
    expect(quietzone_add_signing_key(context, no_key, SIZE_MAX, "x") == QUIETZONE_INVALID_KEY, "key", "endless");
    expect(quietzone_add_signing_key(context, NULL, 3, "x") == QUIETZONE_NULL_POINTER, "key", "null key");
    expect(quietzone_add_signing_key(context, no_key, 3, NULL) == QUIETZONE_NULL_POINTER, "key", "null name");
    expect(quietzone_set_formats(context, "qr_code,nothing") == QUIETZONE_UNKNOWN_FORMAT, "formats", "unknown");
    expect(quietzone_set_formats(context, "") == QUIETZONE_UNKNOWN_FORMAT, "formats", "none");
    expect(quietzone_set_formats(context, quietzone_formats()) == QUIETZONE_OK, "formats", "all");
    expect(quietzone_set_worker_program(context, "/nothing") == QUIETZONE_NO_WORKER, "worker program", "missing");
    expect(quietzone_set_worker_program(context, "sh") == QUIETZONE_NO_WORKER, "worker program", "without a folder");
    expect(quietzone_set_worker_program(context, NULL) == QUIETZONE_NULL_POINTER, "worker program", "null");
    expect(quietzone_cancel(freed) == QUIETZONE_INVALID_HANDLE, "cancel", "freed context");
    quietzone_context_free(context);
}

/* A result that was freed, a context in place of a result, and an index that is not there. */
void test_misuse_of_results(void) {
    quietzone_context *context = quietzone_context_new();
    quietzone_result *result;
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
