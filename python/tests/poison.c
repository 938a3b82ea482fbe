/* Stands between decode-image and libpng: pictures of certain widths do to the process what a hostile picture does that
 * finds a fault in a library. Preloaded by tests alone. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { crash = 6661, hang = 6662, memory = 6663 };

unsigned png_get_image_width(const void *png, const void *info) {
    unsigned width = ((unsigned (*)(const void *, const void *))dlsym(RTLD_NEXT, "png_get_image_width"))(png, info);
    if (width == crash) abort();
    if (width == hang)
        for (;;) pause();
    if (width == memory)
        for (;;) {
            void *block = malloc(16 << 20);
            /* By what a library without a check would do next. */
            memset(block, 1, 16 << 20);
        }
    return width;
}
