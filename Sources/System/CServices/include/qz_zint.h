// libzint, loaded when a code that sets a gun is drawn. Each release of Debian and Ubuntu has it under another name, and
// a program that is linked to one of them is installed on no other.
#pragma once

#include <zint.h>

#define QZ_ZINT_FUNCTIONS(use)                                                                                       \
    use(ZBarcode_Create) use(ZBarcode_Delete) use(ZBarcode_Encode) use(ZBarcode_Print) use(ZBarcode_Buffer)           \
    use(ZBarcode_Buffer_Vector) use(ZBarcode_Version)

/// The functions of libzint that are called, by their own names.
typedef struct {
#define QZ_MEMBER(name) __typeof__(name) *_Nonnull name;
    QZ_ZINT_FUNCTIONS(QZ_MEMBER)
#undef QZ_MEMBER
} qz_zint;

/// The functions, valid until the process ends; NULL where no version is installed whose symbols are known here.
const qz_zint *_Nullable qz_zint_load(void);

/// How many bytes the name of the file has room for in a symbol, with its end.
#define QZ_ZINT_FILE_BYTES 256
/// How many bytes the description of an error has in a symbol, at most.
#define QZ_ZINT_ERROR_BYTES 100

// What follows after the options of the output lies elsewhere in each version: of a symbol that the loaded library has
// made, only these and what lies before them may be touched otherwise.

/// Where the name of the file stands that the symbol is written to.
char *_Nonnull qz_zint_file(const qz_zint *_Nonnull zint, struct zint_symbol *_Nonnull symbol);
/// The description of the last error.
const char *_Nonnull qz_zint_error(const qz_zint *_Nonnull zint, const struct zint_symbol *_Nonnull symbol);
/// The pixels that were drawn, three bytes each, and how many there are; NULL where nothing was drawn.
const unsigned char *_Nullable qz_zint_bitmap(
    const qz_zint *_Nonnull zint, const struct zint_symbol *_Nonnull symbol, int *_Nonnull width, int *_Nonnull height);
/// The bars that were drawn; NULL where nothing was.
const struct zint_vector *_Nullable qz_zint_vector(
    const qz_zint *_Nonnull zint, const struct zint_symbol *_Nonnull symbol);
