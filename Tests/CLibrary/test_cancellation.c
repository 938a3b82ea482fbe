/* Tests the ends of a search that takes long: a cancelled call, and a time budget. */
#include "test_library.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

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

static void fill_noise(void) {
    noise = guarded((size_t)NOISE_SIDE * NOISE_SIDE);
    uint32_t state = 1;
    for (size_t i = 0; i < (size_t)NOISE_SIDE * NOISE_SIDE; i++) {
        state = state * 1664525 + 1013904223;
        noise[i] = (uint8_t)(state >> 24);
    }
}

void test_cancellation(void) {
    fill_noise();
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
