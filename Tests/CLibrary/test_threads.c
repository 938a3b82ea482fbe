/* Tests contexts and results that threads share. */
#include "test_library.h"

#include <pthread.h>
#include <stddef.h>

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

void test_threads(void) {
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
