// libtiff, loaded when the first picture needs it.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <tiffio.h>

#define QZ_TIFF_FUNCTIONS(use)                                                                                       \
    use(TIFFGetVersion) use(TIFFOpenOptionsAlloc) use(TIFFOpenOptionsFree) use(TIFFOpenOptionsSetMaxSingleMemAlloc)   \
    use(TIFFOpenOptionsSetErrorHandlerExtR) use(TIFFOpenOptionsSetWarningHandlerExtR) use(TIFFClientOpenExt)          \
    use(TIFFClose) use(TIFFGetField) use(TIFFGetFieldDefaulted) use(TIFFSetField) use(TIFFSetDirectory)               \
    use(TIFFNumberOfDirectories) use(TIFFIsCODECConfigured) use(TIFFIsTiled) use(TIFFScanlineSize64)                  \
    use(TIFFTileSize64) use(TIFFTileRowSize64) use(TIFFReadScanline) use(TIFFReadEncodedTile) use(TIFFComputeTile)    \
    use(TIFFReadRGBAStripExt) use(TIFFReadRGBATileExt)

/// The functions of libtiff that are called, by their own names.
typedef struct {
#define QZ_MEMBER(name) __typeof__(name) *_Nonnull name;
    QZ_TIFF_FUNCTIONS(QZ_MEMBER)
#undef QZ_MEMBER
} qz_tiff;

/// The functions, valid until the process ends; NULL if the library is not installed.
const qz_tiff *_Nullable qz_tiff_load(void);

/// The bytes of a file, and what libtiff said of them.
typedef struct {
    const uint8_t *_Nonnull bytes;
    size_t count;
    size_t position;
    /// Errors that it reported.
    int error_count;
    /// The first of them.
    char message[160];
} qz_tiff_source;

/// Opens `count` bytes; NULL for a header that is broken. They and `source`, which is filled, stay in place until the
/// file is closed.
///
/// No allocation of the library is larger than `memory`; nothing is printed.
TIFF *_Nullable qz_tiff_open(
    const qz_tiff *_Nonnull library, qz_tiff_source *_Nonnull source, const uint8_t *_Nonnull bytes, size_t count,
    size_t memory);

/// The layout of a page's pixels, since Swift cannot call libtiff's getters, which take a variable number of arguments.
typedef struct {
    uint32_t width;
    uint32_t height;
    uint16_t bits;
    uint16_t samples;
    /// One of SAMPLEFORMAT_.
    uint16_t sample_format;
    /// One of PHOTOMETRIC_.
    uint16_t photometric;
    /// One of COMPRESSION_.
    uint16_t compression;
    /// EXIF's number, 1 to 8.
    uint16_t orientation;
    /// 1 if each sample has a plane of its own.
    int is_planar;
    /// One of INKSET_.
    uint16_t ink_set;
    /// One of EXTRASAMPLE_ for the first sample behind the colors; 0 if there is none.
    uint16_t extra_sample;
    /// Rows in a strip.
    uint32_t rows_per_strip;
    /// Sides of a tile; 0 for strips.
    uint32_t tile_width;
    uint32_t tile_height;
} qz_tiff_layout;

/// Reads the layout of the current page, and has a JPEG inside of it decoded as RGB; 0 if its size is missing.
int qz_tiff_read_layout(const qz_tiff *_Nonnull library, TIFF *_Nonnull file, qz_tiff_layout *_Nonnull layout);

/// The color map of the current page, `1 << bits` values of 16 bits each; 0 if it has none.
int qz_tiff_read_palette(
    const qz_tiff *_Nonnull library, TIFF *_Nonnull file, const uint16_t *_Nullable *_Nonnull red,
    const uint16_t *_Nullable *_Nonnull green, const uint16_t *_Nullable *_Nonnull blue);

/// Has the library convert the pixels of the current page as they are stored, not turned.
void qz_tiff_forget_orientation(const qz_tiff *_Nonnull library, TIFF *_Nonnull file);
