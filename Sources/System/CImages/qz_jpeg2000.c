#include "qz_jpeg2000.h"

#include "qz_load.h"

QZ_DEFINE_LOADER(qz_jpeg2000, QZ_JPEG2000_FUNCTIONS, "libopenjp2.so.7")
