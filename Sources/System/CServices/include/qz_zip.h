// libzip, loaded when a package of pages is installed.
#pragma once

#include <zip.h>

#define QZ_ZIP_FUNCTIONS(use)                                                                                        \
    use(zip_fdopen) use(zip_discard) use(zip_get_num_entries) use(zip_stat_index)                                     \
    use(zip_file_get_external_attributes) use(zip_fopen_index) use(zip_fread) use(zip_fclose)

/// The functions of libzip that are called, by their own names.
typedef struct {
#define QZ_MEMBER(name) __typeof__(name) *_Nonnull name;
    QZ_ZIP_FUNCTIONS(QZ_MEMBER)
#undef QZ_MEMBER
} qz_zip;

/// The functions, valid until the process ends; NULL where the library is not installed.
const qz_zip *_Nullable qz_zip_load(void);
