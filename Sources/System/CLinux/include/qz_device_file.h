#pragma once

// The calls on device files that Swift cannot import: open() and ioctl() take arguments without a type, and eventfd() is
// in no header that it imports. Every call returns 0 or more, or a negative error number.

// Opens a device without waiting and without becoming its terminal, and passes it on to no other program; for reading
// alone where `writes` is 0.
int qz_device_open(const char *path, int writes);

// ioctl(2), again where a signal came in between.
int qz_device_call(int descriptor, unsigned long request, void *argument);

// A file that becomes readable once 8 bytes are written to it: eventfd(2).
int qz_device_wakeup(void);
