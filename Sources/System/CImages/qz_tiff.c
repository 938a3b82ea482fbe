#include "qz_tiff.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "qz_load.h"

// Since libtiff 4.5, which can be told where its errors go file by file.
QZ_DEFINE_LOADER(qz_tiff, QZ_TIFF_FUNCTIONS, "libtiff.so.6")

static tmsize_t read_bytes(thandle_t handle, void *target, tmsize_t wanted) {
    qz_tiff_source *source = handle;
    if (wanted < 0 || source->position >= source->count) return 0;
    size_t left = source->count - source->position;
    size_t count = (size_t)wanted < left ? (size_t)wanted : left;
    memcpy(target, source->bytes + source->position, count);
    source->position += count;
    return (tmsize_t)count;
}

static tmsize_t write_bytes(thandle_t handle, void *bytes, tmsize_t count) {
    (void)handle;
    (void)bytes;
    (void)count;
    return 0;
}

static toff_t seek(thandle_t handle, toff_t offset, int from) {
    qz_tiff_source *source = handle;
    toff_t base = from == SEEK_CUR ? source->position : from == SEEK_END ? source->count : 0;
    toff_t target = base + offset;
    if (target > source->count) target = source->count;
    source->position = (size_t)target;
    return target;
}

static int close_nothing(thandle_t handle) {
    (void)handle;
    return 0;
}

static toff_t size_of(thandle_t handle) {
    return ((qz_tiff_source *)handle)->count;
}

// Maps the bytes as they are: libtiff only reads from what is mapped, though its type knows no const.
static int map(thandle_t handle, void **base, toff_t *size) {
    qz_tiff_source *source = handle;
    *base = (void *)source->bytes;
    *size = source->count;
    return 1;
}

static void unmap(thandle_t handle, void *base, toff_t size) {
    (void)handle;
    (void)base;
    (void)size;
}

// A result other than 0 keeps the library's handler of the whole process, which prints, from being asked too.
static int note_error(TIFF *file, void *data, const char *module, const char *format, va_list arguments) {
    (void)file;
    (void)module;
    qz_tiff_source *source = data;
    if (source->error_count++ == 0) {
        vsnprintf(source->message, sizeof source->message, format, arguments);
        // Some messages begin with the name of the file, which has none here.
        if (strncmp(source->message, ": ", 2) == 0) {
            memmove(source->message, source->message + 2, strlen(source->message + 2) + 1);
        }
    }
    return 1;
}

// Only that the value of a tag is missing, as where a file is cut off, is more than a matter of taste.
static int note_warning(TIFF *file, void *data, const char *module, const char *format, va_list arguments) {
    return strncmp(format, "IO error", 8) == 0 ? note_error(file, data, module, format, arguments) : 1;
}

TIFF *qz_tiff_open(
    const qz_tiff *library, qz_tiff_source *source, const uint8_t *bytes, size_t count, size_t memory
) {
    memset(source, 0, sizeof *source);
    source->bytes = bytes;
    source->count = count;
    TIFFOpenOptions *options = library->TIFFOpenOptionsAlloc();
    if (!options) return NULL;
    library->TIFFOpenOptionsSetMaxSingleMemAlloc(options, (tmsize_t)memory);
    library->TIFFOpenOptionsSetErrorHandlerExtR(options, note_error, source);
    library->TIFFOpenOptionsSetWarningHandlerExtR(options, note_warning, source);
    TIFF *file = library->TIFFClientOpenExt(
        "", "r", source, read_bytes, write_bytes, seek, close_nothing, size_of, map, unmap, options);
    library->TIFFOpenOptionsFree(options);
    return file;
}

int qz_tiff_read_layout(const qz_tiff *library, TIFF *file, qz_tiff_layout *layout) {
    memset(layout, 0, sizeof *layout);
    if (!library->TIFFGetField(file, TIFFTAG_IMAGEWIDTH, &layout->width)) return 0;
    if (!library->TIFFGetField(file, TIFFTAG_IMAGELENGTH, &layout->height)) return 0;
    uint16_t planes = PLANARCONFIG_CONTIG;
    library->TIFFGetFieldDefaulted(file, TIFFTAG_BITSPERSAMPLE, &layout->bits);
    library->TIFFGetFieldDefaulted(file, TIFFTAG_SAMPLESPERPIXEL, &layout->samples);
    library->TIFFGetFieldDefaulted(file, TIFFTAG_SAMPLEFORMAT, &layout->sample_format);
    library->TIFFGetFieldDefaulted(file, TIFFTAG_COMPRESSION, &layout->compression);
    library->TIFFGetFieldDefaulted(file, TIFFTAG_ORIENTATION, &layout->orientation);
    library->TIFFGetFieldDefaulted(file, TIFFTAG_PLANARCONFIG, &planes);
    library->TIFFGetFieldDefaulted(file, TIFFTAG_INKSET, &layout->ink_set);
    library->TIFFGetFieldDefaulted(file, TIFFTAG_ROWSPERSTRIP, &layout->rows_per_strip);
    layout->is_planar = planes == PLANARCONFIG_SEPARATE;
    if (!library->TIFFGetField(file, TIFFTAG_PHOTOMETRIC, &layout->photometric)) {
        // It is left out by some fax machines, whose ink is 1.
        layout->photometric = layout->samples > 2 ? PHOTOMETRIC_RGB : layout->bits == 1 ? PHOTOMETRIC_MINISWHITE
                                                                                        : PHOTOMETRIC_MINISBLACK;
    }
    uint16_t extra_count = 0;
    uint16_t *extra = NULL;
    if (library->TIFFGetFieldDefaulted(file, TIFFTAG_EXTRASAMPLES, &extra_count, &extra) && extra_count && extra) {
        layout->extra_sample = extra[0];
    }
    if (library->TIFFIsTiled(file)) {
        library->TIFFGetField(file, TIFFTAG_TILEWIDTH, &layout->tile_width);
        library->TIFFGetField(file, TIFFTAG_TILELENGTH, &layout->tile_height);
    }
    if (layout->compression == COMPRESSION_JPEG && layout->photometric == PHOTOMETRIC_YCBCR) {
        library->TIFFSetField(file, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
        layout->photometric = PHOTOMETRIC_RGB;
    }
    if (layout->orientation < 1 || layout->orientation > 8) layout->orientation = 1;
    return 1;
}

int qz_tiff_read_palette(
    const qz_tiff *library, TIFF *file, const uint16_t **red, const uint16_t **green, const uint16_t **blue
) {
    return library->TIFFGetField(file, TIFFTAG_COLORMAP, red, green, blue);
}

void qz_tiff_forget_orientation(const qz_tiff *library, TIFF *file) {
    library->TIFFSetField(file, TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
}
