// giflib, loaded when the first picture needs it.
#pragma once

#include <gif_lib.h>

#define QZ_GIF_FUNCTIONS(use)                                                                                        \
    use(DGifOpen) use(DGifCloseFile) use(DGifGetRecordType) use(DGifGetImageDesc) use(DGifGetLine)                    \
    use(DGifGetExtension) use(DGifGetExtensionNext)

/// The functions of giflib that are called, by their own names.
typedef struct {
#define QZ_MEMBER(name) __typeof__(name) *_Nonnull name;
    QZ_GIF_FUNCTIONS(QZ_MEMBER)
#undef QZ_MEMBER
} qz_gif;

/// The functions, valid until the process ends; NULL where the library is not installed.
const qz_gif *_Nullable qz_gif_load(void);

/// The version of giflib that the program was compiled with, such as `5.2.1`; the library tells none itself.
const char *_Nonnull qz_gif_version(void);
