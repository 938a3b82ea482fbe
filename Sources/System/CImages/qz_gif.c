#include "qz_gif.h"

#include "qz_load.h"

QZ_DEFINE_LOADER(qz_gif, QZ_GIF_FUNCTIONS, "libgif.so.7")

#define QZ_QUOTE(x) #x
#define QZ_TEXT(x) QZ_QUOTE(x)

const char *qz_gif_version(void) {
    return QZ_TEXT(GIFLIB_MAJOR) "." QZ_TEXT(GIFLIB_MINOR) "." QZ_TEXT(GIFLIB_RELEASE);
}
