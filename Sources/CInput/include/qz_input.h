#pragma once
#include <linux/hidraw.h>
#include <linux/input.h>
#include <stddef.h>
#include <stdint.h>

// What Swift cannot import of the kernel's input and hidraw interfaces: the request codes, which are macros that compute,
// and ioctl(), which takes arguments without a type. Every call returns 0 or more, or a negative error number.

// Opens a device without waiting and without becoming its terminal; for reading alone where `writes` is 0.
int qz_input_open(const char *path, int writes);

// Takes the device for this program alone: nothing that it types reaches a window.
int qz_input_grab(int descriptor);

// Has the times of events be those of CLOCK_MONOTONIC.
int qz_input_use_monotonic_clock(int descriptor);

int qz_input_id(int descriptor, struct input_id *id);
int qz_input_name(int descriptor, char *text, size_t size);
int qz_input_unique(int descriptor, char *text, size_t size);

// The keys that the device has, a bit each.
int qz_input_keys(int descriptor, uint8_t *bits, size_t size);

int qz_hidraw_info(int descriptor, struct hidraw_devinfo *info);
int qz_hidraw_name(int descriptor, char *text, size_t size);
int qz_hidraw_unique(int descriptor, char *text, size_t size);

// The report descriptor; returns its length.
int qz_hidraw_descriptor(int descriptor, uint8_t *bytes, size_t size);

// Keeps others from opening a serial port.
int qz_serial_lock(int descriptor);

// A file that becomes readable once 8 bytes are written to it: eventfd(2).
int qz_input_bell(void);
