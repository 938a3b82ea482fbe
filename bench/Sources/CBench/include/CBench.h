// What the benchmark needs and Swift cannot say: setjmp around libjpeg and libpng, ptrace, a function with a fixed name.
#ifndef CBENCH_H
#define CBENCH_H

#include <stdint.h>

// Reads a file and decodes it to one byte a pixel with the format's own library and nothing else, then frees it all.
//
// JPEG, PNG and WebP; of any other format the file is only read. Returns 0, or -1 where it cannot be read or decoded.
int qzb_floor_decode(const char *path);

// Writes a grey picture, rows without a gap, as a JPEG. Returns 0, or -1 where the file cannot be written.
int qzb_write_jpeg(const uint8_t *pixels, int width, int height, int quality, const char *path);

// Runs a program to its end with its output thrown away, and hands out the most memory that it held at once.
//
// The figure is VmHWM, read while the process stops on its way out (ptrace). The rusage of a child will not do: it
// begins with what the parent held. Returns the exit status, 128 and the signal, or -1 where it could not be run.
int qzb_peak_memory(char *const arguments[], int64_t *peak_kilobytes);

// Calls `body`. This is the function that callgrind's --toggle-collect names, so that only `body` is counted.
void qzb_measured_region(void (*body)(void *context), void *context);

// The version of the C library, such as 2.36.
const char *qzb_libc_version(void);

#endif
