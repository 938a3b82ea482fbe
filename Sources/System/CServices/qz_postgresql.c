#include "qz_postgresql.h"

#include "qz_load.h"

QZ_DEFINE_LOADER(qz_postgresql, QZ_POSTGRESQL_FUNCTIONS, "libpq.so.5")
