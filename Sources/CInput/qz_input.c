#include "qz_input.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <time.h>

static int call(int descriptor, unsigned long request, void *argument) {
    int result;
    do {
        result = ioctl(descriptor, request, argument);
    } while (result < 0 && errno == EINTR);
    return result < 0 ? -errno : result;
}

int qz_input_open(const char *path, int writes) {
    int descriptor;
    do {
        descriptor = open(path, (writes ? O_RDWR : O_RDONLY) | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    } while (descriptor < 0 && errno == EINTR);
    return descriptor < 0 ? -errno : descriptor;
}

int qz_input_grab(int descriptor) { return call(descriptor, EVIOCGRAB, (void *)1); }

int qz_input_use_monotonic_clock(int descriptor) {
    int clock = CLOCK_MONOTONIC;
    return call(descriptor, EVIOCSCLOCKID, &clock);
}

int qz_input_id(int descriptor, struct input_id *id) { return call(descriptor, EVIOCGID, id); }
int qz_input_name(int descriptor, char *text, size_t size) { return call(descriptor, EVIOCGNAME(size), text); }
int qz_input_unique(int descriptor, char *text, size_t size) { return call(descriptor, EVIOCGUNIQ(size), text); }
int qz_input_keys(int descriptor, uint8_t *bits, size_t size) {
    return call(descriptor, EVIOCGBIT(EV_KEY, size), bits);
}

int qz_hidraw_info(int descriptor, struct hidraw_devinfo *info) { return call(descriptor, HIDIOCGRAWINFO, info); }
int qz_hidraw_name(int descriptor, char *text, size_t size) { return call(descriptor, HIDIOCGRAWNAME(size), text); }

int qz_hidraw_unique(int descriptor, char *text, size_t size) {
#ifdef HIDIOCGRAWUNIQ
    return call(descriptor, HIDIOCGRAWUNIQ(size), text);
#else
    (void)descriptor, (void)text, (void)size;
    return -ENOTTY;
#endif
}

int qz_hidraw_descriptor(int descriptor, uint8_t *bytes, size_t size) {
    int length = 0;
    int result = call(descriptor, HIDIOCGRDESCSIZE, &length);
    if (result < 0) return result;
    struct hidraw_report_descriptor report;
    memset(&report, 0, sizeof report);
    if (length < 0 || length > HID_MAX_DESCRIPTOR_SIZE) return -EINVAL;
    report.size = (uint32_t)length;
    result = call(descriptor, HIDIOCGRDESC, &report);
    if (result < 0) return result;
    if ((size_t)length > size) length = (int)size;
    memcpy(bytes, report.value, (size_t)length);
    return length;
}

int qz_serial_lock(int descriptor) { return call(descriptor, TIOCEXCL, 0); }

int qz_input_bell(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }
