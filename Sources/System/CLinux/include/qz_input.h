#pragma once
#include <linux/hidraw.h>
#include <linux/input.h>
#include <linux/uinput.h>
#include <stddef.h>
#include <stdint.h>

// What Swift cannot import of the kernel's input and hidraw interfaces: the request codes, which are macros that compute.
// Every call returns 0 or more, or a negative error number.

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

// Makes a keyboard that this program plays, for as long as the descriptor is open.
int qz_uinput_keyboard(const char *path, const char *name);

// Has a key of it go down or up.
int qz_uinput_key(int descriptor, uint16_t key, int is_down);

// Whether Caps Lock is on, by the lights that the keyboard was told to show since the last call; `before` where it was
// told nothing.
int qz_uinput_caps_lock(int descriptor, int before);

// Has this thread go before others where the system lets the process (RLIMIT_NICE).
int qz_thread_raise(void);

// Keeps others from opening a serial port.
int qz_serial_lock(int descriptor);
