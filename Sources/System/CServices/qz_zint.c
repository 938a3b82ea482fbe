#include "qz_zint.h"

#include <stddef.h>
#include <string.h>

#include "qz_load.h"

// The names hold the versions: what is laid out otherwise has another name.
QZ_DEFINE_LOADER(qz_zint, QZ_ZINT_FUNCTIONS, "libzint.so.2.11", "libzint.so.2.13", "libzint.so.2.15")

#if __SIZEOF_POINTER__ == 8
// Where a symbol has its members, by the header of each version, from the newest on.
static const struct layout {
    int version;
    size_t file, error, bitmap, vector;
} layouts[] = {
    {21500, 80, 30420, 30520, 30544},
    {21300, 80, 30360, 30464, 30488},
    {21100, 64, 30268, 30368, 30400},
};
#else
#error "the members of libzint's symbols are known for 64 bits alone"
#endif

// What is the same in all of them.
_Static_assert(offsetof(struct zint_symbol, height) == 4, "");
_Static_assert(offsetof(struct zint_symbol, scale) == 8, "");
_Static_assert(offsetof(struct zint_symbol, whitespace_width) == 12, "");
_Static_assert(offsetof(struct zint_symbol, whitespace_height) == 16, "");
_Static_assert(offsetof(struct zint_symbol, output_options) == 24, "");
_Static_assert(sizeof(((struct zint_symbol *)0)->outfile) == QZ_ZINT_FILE_BYTES, "");
_Static_assert(sizeof(((struct zint_symbol *)0)->errtxt) == QZ_ZINT_ERROR_BYTES, "");
_Static_assert(offsetof(struct zint_symbol, bitmap_width) - offsetof(struct zint_symbol, bitmap) == 8, "");
_Static_assert(offsetof(struct zint_symbol, bitmap_height) - offsetof(struct zint_symbol, bitmap) == 12, "");
_Static_assert(offsetof(struct zint_vector, rectangles) == 8, "");
_Static_assert(offsetof(struct zint_vector_rect, next) == 24, "");

static const struct layout *layout_of(const qz_zint *zint) {
    const struct layout *layout = layouts;
    const struct layout *oldest = layouts + sizeof layouts / sizeof *layouts - 1;
    while (layout < oldest && layout->version > zint->ZBarcode_Version()) layout++;
    return layout;
}

char *qz_zint_file(const qz_zint *zint, struct zint_symbol *symbol) { return (char *)symbol + layout_of(zint)->file; }

const char *qz_zint_error(const qz_zint *zint, const struct zint_symbol *symbol) {
    return (const char *)symbol + layout_of(zint)->error;
}

const unsigned char *qz_zint_bitmap(const qz_zint *zint, const struct zint_symbol *symbol, int *width, int *height) {
    const char *member = (const char *)symbol + layout_of(zint)->bitmap;
    const unsigned char *bitmap;
    memcpy(&bitmap, member, sizeof bitmap);
    memcpy(width, member + 8, sizeof *width);
    memcpy(height, member + 12, sizeof *height);
    return bitmap;
}

const struct zint_vector *qz_zint_vector(const qz_zint *zint, const struct zint_symbol *symbol) {
    const struct zint_vector *vector;
    memcpy(&vector, (const char *)symbol + layout_of(zint)->vector, sizeof vector);
    return vector;
}
