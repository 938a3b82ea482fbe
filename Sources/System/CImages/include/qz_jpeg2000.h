// OpenJPEG, loaded when the first picture needs it.
#pragma once

// The folder is named after the version; all that are supported have the same one.
#include <openjpeg-2.5/openjpeg.h>

#define QZ_JPEG2000_FUNCTIONS(use)                                                                                   \
    use(opj_version) use(opj_stream_create) use(opj_stream_destroy) use(opj_stream_set_read_function)                 \
    use(opj_stream_set_skip_function) use(opj_stream_set_seek_function) use(opj_stream_set_user_data)                 \
    use(opj_stream_set_user_data_length) use(opj_create_decompress) use(opj_destroy_codec)                            \
    use(opj_set_default_decoder_parameters) use(opj_setup_decoder)                                                    \
    use(opj_set_warning_handler) use(opj_set_error_handler) use(opj_read_header) use(opj_set_decoded_components)      \
    use(opj_get_cstr_info) use(opj_destroy_cstr_info) use(opj_decode) use(opj_image_destroy)

/// The functions of OpenJPEG that are called, by their own names.
typedef struct {
#define QZ_MEMBER(name) __typeof__(name) *_Nonnull name;
    QZ_JPEG2000_FUNCTIONS(QZ_MEMBER)
#undef QZ_MEMBER
} qz_jpeg2000;

/// The functions, valid until the process ends; NULL where the library is not installed.
const qz_jpeg2000 *_Nullable qz_jpeg2000_load(void);
