/* Tests decoding in workers, and workers that fail. */
#include "test_library.h"

#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* The threads that serve workers are not in a fork: it gets an error, and does not wait for them. */
static void test_fork(quietzone_context *context) {
    quietzone_result *result;
    const pid_t child = fork();
    if (child == 0) {
        alarm(60);
        int failed = quietzone_decode_file_in_worker(context, sample("qr.png"), &result) != QUIETZONE_NO_WORKER;
        failed += strstr(quietzone_result_message(result), "qr.png: was not decoded: this process was forked") == NULL;
        quietzone_result_free(result);
        quietzone_decode_file(context, sample("qr.png"), &result);
        failed += !has_qr_text(result);
        quietzone_context_free(context);
        _exit(failed);
    }
    int status = -1;
    waitpid(child, &status, 0);
    expect(status == 0, "worker", "of a fork");
    quietzone_decode_file_in_worker(context, sample("qr.png"), &result);
    expect(has_qr_text(result), "worker", "after a fork");
    quietzone_result_free(result);
}

/* A process without a free descriptor gets an error; the threads that serve workers would end it. */
void test_few_descriptors(void) {
    const pid_t child = fork();
    if (child == 0) {
        quietzone_context *context = quietzone_context_new();
        quietzone_set_worker_program(context, program);
        struct rlimit limit = {64, 64};
        setrlimit(RLIMIT_NOFILE, &limit);
        while (dup(0) >= 0) {}
        quietzone_result *result;
        _exit(quietzone_decode_file_in_worker(context, sample("qr.png"), &result) != QUIETZONE_NO_WORKER);
    }
    int status = -1;
    waitpid(child, &status, 0);
    expect(status == 0, "worker", "without a descriptor");
}

void test_workers(void) {
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
    test_fork(context);
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
