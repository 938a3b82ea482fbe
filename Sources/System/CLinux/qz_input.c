#include "qz_input.h"
#include "qz_device_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

int qz_input_grab(int descriptor) { return qz_device_call(descriptor, EVIOCGRAB, (void *)1); }

int qz_input_use_monotonic_clock(int descriptor) {
    int clock = CLOCK_MONOTONIC;
    return qz_device_call(descriptor, EVIOCSCLOCKID, &clock);
}

int qz_input_id(int descriptor, struct input_id *id) { return qz_device_call(descriptor, EVIOCGID, id); }
int qz_input_name(int descriptor, char *text, size_t size) { return qz_device_call(descriptor, EVIOCGNAME(size), text); }
int qz_input_unique(int descriptor, char *text, size_t size) { return qz_device_call(descriptor, EVIOCGUNIQ(size), text); }
int qz_input_keys(int descriptor, uint8_t *bits, size_t size) {
    return qz_device_call(descriptor, EVIOCGBIT(EV_KEY, size), bits);
}

int qz_hidraw_info(int descriptor, struct hidraw_devinfo *info) { return qz_device_call(descriptor, HIDIOCGRAWINFO, info); }
int qz_hidraw_name(int descriptor, char *text, size_t size) { return qz_device_call(descriptor, HIDIOCGRAWNAME(size), text); }

int qz_hidraw_unique(int descriptor, char *text, size_t size) {
#ifdef HIDIOCGRAWUNIQ
    return qz_device_call(descriptor, HIDIOCGRAWUNIQ(size), text);
#else
    (void)descriptor, (void)text, (void)size;
    return -ENOTTY;
#endif
}

int qz_hidraw_descriptor(int descriptor, uint8_t *bytes, size_t size) {
    int length = 0;
    int result = qz_device_call(descriptor, HIDIOCGRDESCSIZE, &length);
    if (result < 0) return result;
    struct hidraw_report_descriptor report;
    memset(&report, 0, sizeof report);
    if (length < 0 || length > HID_MAX_DESCRIPTOR_SIZE) return -EINVAL;
    report.size = (uint32_t)length;
    result = qz_device_call(descriptor, HIDIOCGRDESC, &report);
    if (result < 0) return result;
    if ((size_t)length > size) length = (int)size;
    memcpy(bytes, report.value, (size_t)length);
    return length;
}

int qz_uinput_keyboard(const char *path, const char *name) {
    int descriptor = qz_device_open(path, 1);
    if (descriptor < 0) return descriptor;
    struct uinput_setup setup;
    memset(&setup, 0, sizeof setup);
    setup.id.bustype = BUS_VIRTUAL;
    snprintf(setup.name, sizeof setup.name, "%s", name);
    int result = qz_device_call(descriptor, UI_SET_EVBIT, (void *)EV_KEY);
    if (result >= 0) result = qz_device_call(descriptor, UI_SET_EVBIT, (void *)EV_LED);
    if (result >= 0) result = qz_device_call(descriptor, UI_SET_LEDBIT, (void *)LED_CAPSL);
    // Desktops know a keyboard by the keys that it has.
    for (uintptr_t key = KEY_ESC; key < KEY_MICMUTE && result >= 0; key++) {
        result = qz_device_call(descriptor, UI_SET_KEYBIT, (void *)key);
    }
    if (result >= 0) result = qz_device_call(descriptor, UI_DEV_SETUP, &setup);
    if (result >= 0) result = qz_device_call(descriptor, UI_DEV_CREATE, 0);
    if (result >= 0) return descriptor;
    close(descriptor);
    return result;
}

int qz_uinput_key(int descriptor, uint16_t key, int is_down) {
    struct input_event events[2];
    memset(events, 0, sizeof events);
    events[0].type = EV_KEY;
    events[0].code = key;
    events[0].value = is_down;
    events[1].type = EV_SYN;
    events[1].code = SYN_REPORT;
    ssize_t count;
    do {
        count = write(descriptor, events, sizeof events);
    } while (count < 0 && errno == EINTR);
    return count < 0 ? -errno : count == sizeof events ? 0 : -EIO;
}

int qz_uinput_caps_lock(int descriptor, int before) {
    struct input_event event;
    while (read(descriptor, &event, sizeof event) == sizeof event) {
        if (event.type == EV_LED && event.code == LED_CAPSL) before = event.value != 0;
    }
    return before;
}

int qz_serial_lock(int descriptor) { return qz_device_call(descriptor, TIOCEXCL, 0); }

int qz_thread_raise(void) {
    // Of this thread alone, which Linux does and POSIX does not.
    return setpriority(PRIO_PROCESS, 0, -10) < 0 ? -errno : 0;
}
