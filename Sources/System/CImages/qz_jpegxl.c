#include "qz_jpegxl.h"

#include "qz_load.h"

#define QZ_QUOTE(x) #x
#define QZ_TEXT(x) QZ_QUOTE(x)
#define QZ_BUILT QZ_TEXT(JPEGXL_MAJOR_VERSION) "." QZ_TEXT(JPEGXL_MINOR_VERSION)

// The structs that are exchanged are the same in all of these.
QZ_DEFINE_LOADER(
    qz_jpegxl, QZ_JPEGXL_FUNCTIONS, "libjxl.so." QZ_BUILT, "libjxl.so.0.11", "libjxl.so.0.10", "libjxl.so.0.9",
    "libjxl.so.0.8", "libjxl.so.0.7")

const char *qz_jpegxl_built_version(void) { return QZ_BUILT; }
