/**
 * @file quietzone.hpp
 * @brief Reads barcodes and QR Codes from pictures: a C++17 interface to quietzone.h, with ownership and exceptions.
 */
#ifndef QUIETZONE_HPP
#define QUIETZONE_HPP

#include <quietzone/quietzone.h>

#include <array>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace quietzone {

/** @brief A call that failed; `what()` is the sentence. */
struct error : std::runtime_error {
    quietzone_status status;

    error(quietzone_status failure, const char *sentence)
        : std::runtime_error(sentence != nullptr ? sentence : quietzone_status_text(failure)), status(failure) {}
};

/** @brief A position in pixels of the stored picture, whose top left corner is (0, 0). */
struct point {
    double x, y;
};

/** @brief A decoded symbol, a copy that needs no result. */
struct symbol {
    std::string format, text, identifier;
    std::vector<uint8_t> bytes;
    /** The top left, top right, bottom right and bottom left corner, as the symbol sees itself. */
    std::array<point, 4> corners;
    /** All that is known of the symbol, see docs/reference/json.md. */
    std::string json;
};

/** @brief Pixels in memory, see quietzone_decode_pixels(). */
struct pixels {
    const void *data;
    size_t size;
    uint32_t width, height;
    size_t stride = 0;
    quietzone_pixel_format format = QUIETZONE_GRAY;
};

/** @brief The options and worker processes of calls; may be used by several threads. */
class context {
public:
    context() : handle(quietzone_context_new(), quietzone_context_free) {}

    void set(quietzone_option option, int64_t value) { check(quietzone_set_option(handle.get(), option, value)); }
    void set_formats(const std::string &names) { check(quietzone_set_formats(handle.get(), names.c_str())); }
    /** @brief Adds a key to check signatures with, see quietzone_add_signing_key(). */
    void add_signing_key(std::string_view key, const std::string &name) {
        const auto *bytes = reinterpret_cast<const uint8_t *>(key.data());
        check(quietzone_add_signing_key(handle.get(), bytes, key.size(), name.c_str()));
    }
    void set_worker_program(const std::string &path) {
        check(quietzone_set_worker_program(handle.get(), path.c_str()));
    }
    /** @brief Cancels the running calls, which throw an error with the status QUIETZONE_CANCELLED. */
    void cancel() { check(quietzone_cancel(handle.get())); }

    /** @brief Decodes a file; throws `error`. */
    std::vector<symbol> decode_file(const std::string &path, bool in_worker = false) {
        // For the library the path ends there: it would open another file than the one that was checked.
        if (path.find('\0') != std::string::npos) throw error(QUIETZONE_NOT_FOUND, "the path has a zero byte");
        return decode(in_worker ? quietzone_decode_file_in_worker : quietzone_decode_file, path.c_str());
    }
    /** @brief Decodes the bytes of a file; throws `error`. */
    std::vector<symbol> decode_bytes(std::string_view bytes, bool in_worker = false) {
        return decode(
            in_worker ? quietzone_decode_bytes_in_worker : quietzone_decode_bytes, bytes.data(), bytes.size());
    }
    /** @brief Decodes pixels; throws `error`. */
    std::vector<symbol> decode_pixels(const pixels &image, bool in_worker = false) {
        return decode(
            in_worker ? quietzone_decode_pixels_in_worker : quietzone_decode_pixels, image.data, image.size,
            image.width, image.height, image.stride, image.format);
    }

private:
    std::unique_ptr<quietzone_context, decltype(&quietzone_context_free)> handle;

    static void check(quietzone_status status) {
        if (status != QUIETZONE_OK) throw error(status, nullptr);
    }

    template <typename Call, typename... Arguments>
    std::vector<symbol> decode(Call call, Arguments... arguments) {
        quietzone_result *made = nullptr;
        const quietzone_status status = call(handle.get(), arguments..., &made);
        const std::unique_ptr<quietzone_result, decltype(&quietzone_result_free)> result(made, quietzone_result_free);
        if (status != QUIETZONE_OK) throw error(status, quietzone_result_message(made));
        std::vector<symbol> symbols(quietzone_result_count(made));
        for (size_t index = 0; index < symbols.size(); index++) {
            symbol &symbol = symbols[index];
            size_t size = 0;
            symbol.format = quietzone_symbol_format(made, index);
            symbol.identifier = quietzone_symbol_identifier(made, index);
            const char *text = quietzone_symbol_text(made, index, &size);
            symbol.text.assign(text, size);
            const uint8_t *bytes = quietzone_symbol_bytes(made, index, &size);
            symbol.bytes.assign(bytes, bytes + size);
            double corners[8];
            check(quietzone_symbol_corners(made, index, corners));
            for (size_t corner = 0; corner < 4; corner++)
                symbol.corners[corner] = {corners[2 * corner], corners[2 * corner + 1]};
            symbol.json = quietzone_symbol_json(made, index, nullptr);
        }
        return symbols;
    }
};

}  // namespace quietzone

#endif
