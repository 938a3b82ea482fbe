#include "qz_portal.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <systemd/sd-bus.h>
#include <time.h>
#include <unistd.h>

#include "qz_load.h"

#define QZ_SD_BUS_FUNCTIONS(use)                                                                                     \
    use(sd_bus_open_user) use(sd_bus_flush_close_unref) use(sd_bus_get_unique_name) use(sd_bus_match_signal)          \
    use(sd_bus_call_method) use(sd_bus_process) use(sd_bus_wait) use(sd_bus_message_read)                             \
    use(sd_bus_message_enter_container) use(sd_bus_message_exit_container) use(sd_bus_message_skip)                   \
    use(sd_bus_message_unref) use(sd_bus_slot_unref)

// Loaded when it is needed: decode-image starts without it.
typedef struct {
#define QZ_MEMBER(name) __typeof__(name) *name;
    QZ_SD_BUS_FUNCTIONS(QZ_MEMBER)
#undef QZ_MEMBER
} qz_sd_bus;

static const qz_sd_bus *qz_sd_bus_load(void);
QZ_DEFINE_LOADER(qz_sd_bus, QZ_SD_BUS_FUNCTIONS, "libsystemd.so.0")

struct answer {
    const qz_sd_bus *functions;
    char *uri;
    size_t size;
    int has_come;
    enum qz_portal_outcome outcome;
};

// Response(u response, a{sv} results), with "uri" among the results.
static int take_response(sd_bus_message *message, void *context, sd_bus_error *error) {
    (void)error;
    struct answer *answer = context;
    const qz_sd_bus *functions = answer->functions;
    uint32_t response = 2;
    answer->has_come = 1;
    answer->outcome = QZ_PORTAL_REFUSED;
    if (functions->sd_bus_message_read(message, "u", &response) < 0 || response != 0) return 0;
    if (functions->sd_bus_message_enter_container(message, 'a', "{sv}") < 0) return 0;
    while (functions->sd_bus_message_enter_container(message, 'e', "sv") > 0) {
        const char *key = NULL, *uri = NULL;
        if (functions->sd_bus_message_read(message, "s", &key) < 0) return 0;
        if (strcmp(key, "uri") == 0) {
            if (functions->sd_bus_message_read(message, "v", "s", &uri) < 0) return 0;
            if (strlen(uri) < answer->size) {
                memcpy(answer->uri, uri, strlen(uri) + 1);
                answer->outcome = QZ_PORTAL_ANSWERED;
            }
        } else if (functions->sd_bus_message_skip(message, "v") < 0) {
            return 0;
        }
        if (functions->sd_bus_message_exit_container(message) < 0) return 0;
    }
    return 0;
}

static uint64_t now_microseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

enum qz_portal_outcome qz_portal_screenshot(unsigned timeout_seconds, char *uri, size_t size) {
    const qz_sd_bus *functions = qz_sd_bus_load();
    sd_bus *bus = NULL;
    sd_bus_slot *slot = NULL;
    struct answer answer = {functions, uri, size, 0, QZ_PORTAL_MISSING};
    const char *name = NULL;
    char sender[64], token[32], path[192];

    if (!functions) return QZ_PORTAL_MISSING;
    if (functions->sd_bus_open_user(&bus) < 0) return QZ_PORTAL_MISSING;
    // The portal answers by a signal of an object whose path is known before: it must not come before somebody listens.
    if (functions->sd_bus_get_unique_name(bus, &name) < 0 || strlen(name) >= sizeof(sender)) goto end;
    snprintf(sender, sizeof(sender), "%s", name + 1);
    for (char *character = sender; *character; character++)
        if (*character == '.') *character = '_';
    snprintf(token, sizeof(token), "quietzone%d", (int)getpid());
    snprintf(path, sizeof(path), "/org/freedesktop/portal/desktop/request/%s/%s", sender, token);
    if (functions->sd_bus_match_signal(
            bus, &slot, "org.freedesktop.portal.Desktop", path, "org.freedesktop.portal.Request", "Response",
            take_response, &answer) < 0)
        goto end;
    if (functions->sd_bus_call_method(
            bus, "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop",
            "org.freedesktop.portal.Screenshot", "Screenshot", NULL, NULL, "sa{sv}", "", 2, "handle_token", "s", token,
            "interactive", "b", 1) < 0)
        goto end;
    uint64_t deadline = now_microseconds() + (uint64_t)timeout_seconds * 1000000;
    answer.outcome = QZ_PORTAL_TIMED_OUT;
    while (!answer.has_come) {
        int worked = functions->sd_bus_process(bus, NULL);
        if (worked < 0) break;
        if (worked > 0) continue;
        uint64_t now = now_microseconds();
        if (now >= deadline || functions->sd_bus_wait(bus, deadline - now) < 0) break;
    }
end:
    if (slot) functions->sd_bus_slot_unref(slot);
    functions->sd_bus_flush_close_unref(bus);
    return answer.outcome;
}
