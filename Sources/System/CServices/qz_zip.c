#include "qz_zip.h"

#include "qz_load.h"

// These functions are the same under both names.
QZ_DEFINE_LOADER(qz_zip, QZ_ZIP_FUNCTIONS, "libzip.so.5", "libzip.so.4")
