#include "qz_heif.h"

#include "qz_load.h"

QZ_DEFINE_LOADER(qz_heif, QZ_HEIF_FUNCTIONS, "libheif.so.1")
