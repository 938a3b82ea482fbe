// libheif, loaded when the first picture needs it.
#pragma once

#include <libheif/heif.h>

#define QZ_HEIF_FUNCTIONS(use)                                                                                       \
    use(heif_get_version) use(heif_context_alloc) use(heif_context_free)                               \
    use(heif_context_read_from_memory_without_copy) use(heif_context_get_primary_image_handle)                        \
    use(heif_image_handle_release) use(heif_image_handle_get_ispe_width) use(heif_image_handle_get_ispe_height)       \
    use(heif_image_handle_get_luma_bits_per_pixel) use(heif_image_handle_is_premultiplied_alpha)                      \
    use(heif_decoding_options_alloc) use(heif_decoding_options_free) use(heif_decode_image) use(heif_image_release)   \
    use(heif_image_get_colorspace) use(heif_image_has_channel) use(heif_image_get_width) use(heif_image_get_height)   \
    use(heif_image_get_bits_per_pixel_range) use(heif_image_get_plane_readonly)                                       \
    use(heif_image_get_nclx_color_profile) use(heif_image_handle_get_nclx_color_profile)                              \
    use(heif_nclx_color_profile_free) use(heif_image_get_decoding_warnings)

/// The functions of libheif that are called, by their own names.
typedef struct {
#define QZ_MEMBER(name) __typeof__(name) *_Nonnull name;
    QZ_HEIF_FUNCTIONS(QZ_MEMBER)
#undef QZ_MEMBER
} qz_heif;

/// The functions, valid until the process ends; NULL where the library is not installed.
const qz_heif *_Nullable qz_heif_load(void);
