// libjxl, loaded when the first picture needs it.
#pragma once

#include <jxl/decode.h>
#include <jxl/version.h>

#define QZ_JPEGXL_FUNCTIONS(use)                                                                                     \
    use(JxlDecoderVersion) use(JxlDecoderCreate) use(JxlDecoderDestroy) use(JxlDecoderSubscribeEvents)                \
    use(JxlDecoderSetKeepOrientation) use(JxlDecoderSetInput) use(JxlDecoderCloseInput) use(JxlDecoderProcessInput)   \
    use(JxlDecoderGetBasicInfo) use(JxlDecoderSetImageOutCallback) use(JxlDecoderFlushImage)

/// The functions of libjxl that are called, by their own names.
typedef struct {
#define QZ_MEMBER(name) __typeof__(name) *_Nonnull name;
    QZ_JPEGXL_FUNCTIONS(QZ_MEMBER)
#undef QZ_MEMBER
} qz_jpegxl;

/// The functions, valid until the process ends; NULL where the library is not installed.
const qz_jpegxl *_Nullable qz_jpegxl_load(void);

/// The version that the program was compiled with, such as `0.7`: libjxl before 1.0 changes its name with each.
const char *_Nonnull qz_jpegxl_built_version(void);
