#include "CPortal.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <systemd/sd-bus.h>
#include <time.h>
#include <unistd.h>

// Loaded when it is needed: decode-image starts without it. Called only from here, one call after the other.
#define CALLS(X) \
    X(sd_bus_open_user) X(sd_bus_flush_close_unref) X(sd_bus_get_unique_name) X(sd_bus_match_signal) \
    X(sd_bus_call_method) X(sd_bus_process) X(sd_bus_wait) X(sd_bus_message_read) X(sd_bus_message_enter_container) \
    X(sd_bus_message_exit_container) X(sd_bus_message_skip) X(sd_bus_message_unref) X(sd_bus_slot_unref)

struct calls {
#define DECLARE(name) __typeof__(&name) name;
    CALLS(DECLARE)
#undef DECLARE
};

static int load(struct calls *calls) {
    void *library = dlopen("libsystemd.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!library) return 0;
#define FIND(name) \
    calls->name = (__typeof__(&name))dlsym(library, #name); \
    if (!calls->name) return 0;
    CALLS(FIND)
#undef FIND
    return 1;
}

struct answer {
    const struct calls *calls;
    char *uri;
    size_t size;
    int has_come;
    enum qz_portal_outcome outcome;
};

// Response(u response, a{sv} results), with "uri" among the results.
static int take_response(sd_bus_message *message, void *context, sd_bus_error *error) {
    (void)error;
    struct answer *answer = context;
    const struct calls *calls = answer->calls;
    uint32_t response = 2;
    answer->has_come = 1;
    answer->outcome = QZ_PORTAL_REFUSED;
    if (calls->sd_bus_message_read(message, "u", &response) < 0 || response != 0) return 0;
    if (calls->sd_bus_message_enter_container(message, 'a', "{sv}") < 0) return 0;
    while (calls->sd_bus_message_enter_container(message, 'e', "sv") > 0) {
        const char *key = NULL, *uri = NULL;
        if (calls->sd_bus_message_read(message, "s", &key) < 0) return 0;
        if (strcmp(key, "uri") == 0) {
            if (calls->sd_bus_message_read(message, "v", "s", &uri) < 0) return 0;
            if (strlen(uri) < answer->size) {
                memcpy(answer->uri, uri, strlen(uri) + 1);
                answer->outcome = QZ_PORTAL_ANSWERED;
            }
        } else if (calls->sd_bus_message_skip(message, "v") < 0) {
            return 0;
        }
        if (calls->sd_bus_message_exit_container(message) < 0) return 0;
    }
    return 0;
}

static uint64_t now_microseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

enum qz_portal_outcome qz_portal_screenshot(unsigned timeout_seconds, char *uri, size_t size) {
    struct calls calls;
    sd_bus *bus = NULL;
    sd_bus_slot *slot = NULL;
    struct answer answer = {&calls, uri, size, 0, QZ_PORTAL_MISSING};
    const char *name = NULL;
    char sender[64], token[32], path[192];

    if (!load(&calls)) return QZ_PORTAL_MISSING;
    if (calls.sd_bus_open_user(&bus) < 0) return QZ_PORTAL_MISSING;
    // The portal answers by a signal of an object whose path is known before: it must not come before somebody listens.
    if (calls.sd_bus_get_unique_name(bus, &name) < 0 || strlen(name) >= sizeof(sender)) goto end;
    snprintf(sender, sizeof(sender), "%s", name + 1);
    for (char *character = sender; *character; character++)
        if (*character == '.') *character = '_';
    snprintf(token, sizeof(token), "quietzone%d", (int)getpid());
    snprintf(path, sizeof(path), "/org/freedesktop/portal/desktop/request/%s/%s", sender, token);
    if (calls.sd_bus_match_signal(
            bus, &slot, "org.freedesktop.portal.Desktop", path, "org.freedesktop.portal.Request", "Response",
            take_response, &answer) < 0)
        goto end;
    if (calls.sd_bus_call_method(
            bus, "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop",
            "org.freedesktop.portal.Screenshot", "Screenshot", NULL, NULL, "sa{sv}", "", 2, "handle_token", "s", token,
            "interactive", "b", 1) < 0)
        goto end;
    uint64_t deadline = now_microseconds() + (uint64_t)timeout_seconds * 1000000;
    answer.outcome = QZ_PORTAL_TIMED_OUT;
    while (!answer.has_come) {
        int worked = calls.sd_bus_process(bus, NULL);
        if (worked < 0) break;
        if (worked > 0) continue;
        uint64_t now = now_microseconds();
        if (now >= deadline || calls.sd_bus_wait(bus, deadline - now) < 0) break;
    }
end:
    if (slot) calls.sd_bus_slot_unref(slot);
    calls.sd_bus_flush_close_unref(bus);
    return answer.outcome;
}
