/**
 * @file quietzone.h
 * @brief Reads barcodes and QR Codes from pictures: the C interface of Quietzone, libquietzone.
 *
 * A context holds the options. A call of quietzone_decode_file(), quietzone_decode_bytes() or quietzone_decode_pixels()
 * makes a result, which holds the symbols or an error. Both are opaque; functions read them.
 *
 * **Memory.** Free a context by quietzone_context_free() and a result by quietzone_result_free(). A pointer that a
 * function of a result returns is valid until the result is freed; all other strings are valid for the lifetime of the
 * program. The library keeps no pointer of the caller after a call. A result does not need its context.
 *
 * **Text.** Every `char` pointer is UTF-8 and ends with a zero byte, except the path of a file, which is any bytes.
 *
 * **Errors.** A call that can fail returns a #quietzone_status. Decoding also makes a result in case of an error, whose
 * quietzone_result_message() says what failed, on which picture, and what to do. A picture without symbols is not an
 * error. A null pointer or a handle that was freed is an error as well and is never read: a handle is a number that is
 * looked up, not an address.
 *
 * **Threads.** Every function may be called by any thread at any time, also several with the same context or result.
 * Options are copied when a call of decoding starts. A context that is freed during a call stays until its end. A
 * thread with a stack of 256 KiB can decode.
 *
 * **The process.** The library has no settings of its own: contexts do not influence each other. It prints nothing,
 * but zbar may print to standard error. It starts the program `pdftoppm` for a page of a PDF. It stays loaded after
 * dlclose(). A picture that makes zbar or another library crash, or memory that runs out, ends the process: decode
 * untrusted pictures by the calls whose names end with `_in_worker`.
 *
 * **Forks.** A forked process may go on with the contexts and results of its parent if no other thread was in a call
 * during fork(). Once the parent has used workers, the fork cannot: such a call is the error #QUIETZONE_NO_WORKER.
 *
 * **Versions.** The version of the ABI is the number in the file name (`libquietzone.so.0`). It changes if a function,
 * constant or option is removed or changes its meaning, not if one is added.
 */
#ifndef QUIETZONE_H
#define QUIETZONE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @brief The version of the ABI that this header describes, see quietzone_abi_version(). */
#define QUIETZONE_ABI_VERSION 0

/** @brief The options and the worker processes of calls. */
typedef struct quietzone_context quietzone_context;

/** @brief The symbols of a picture, or an error. */
typedef struct quietzone_result quietzone_result;

/** @brief Outcomes of a call. New ones may be added: treat an unknown one as a picture that could not be read. */
typedef enum quietzone_status {
    /** Success. A picture without symbols is a success, too. */
    QUIETZONE_OK = 0,
    /** A pointer is null. */
    QUIETZONE_NULL_POINTER = 1,
    /** The context or result was freed, or is not one. */
    QUIETZONE_INVALID_HANDLE = 2,
    /** An option is unknown, or its value is outside its range. */
    QUIETZONE_INVALID_OPTION = 3,
    /** The names of symbologies have an unknown one, or are empty. */
    QUIETZONE_UNKNOWN_FORMAT = 4,
    /** The width, stride, format and size of pixels contradict each other. */
    QUIETZONE_INVALID_PIXELS = 5,
    /** The result has no symbol with this index. */
    QUIETZONE_NO_SUCH_SYMBOL = 6,
    /** The bytes are no public key, or libcrypto 3, which checks signatures, is not installed. */
    QUIETZONE_INVALID_KEY = 7,
    /** The file does not exist. */
    QUIETZONE_NOT_FOUND = 10,
    /** This user has no permission to read the file. */
    QUIETZONE_PERMISSION_DENIED = 11,
    /** The path is a folder. */
    QUIETZONE_IS_DIRECTORY = 12,
    /** The file could not be read. */
    QUIETZONE_UNREADABLE = 13,
    /** The file has no bytes. */
    QUIETZONE_EMPTY_FILE = 14,
    /** The bytes are not in a supported picture format. */
    QUIETZONE_UNSUPPORTED_FORMAT = 15,
    /** The library of the picture format is not installed; the message names its package. */
    QUIETZONE_MISSING_CODEC = 16,
    /** The picture is damaged before its first row, or has no pixels. */
    QUIETZONE_CORRUPT = 17,
    /** The picture exceeds a limit of the context. */
    QUIETZONE_TOO_LARGE = 18,
    /** There is not enough memory for the picture. */
    QUIETZONE_OUT_OF_MEMORY = 19,
    /** The document needs a password. */
    QUIETZONE_ENCRYPTED = 20,
    /** The document has fewer pages than #QUIETZONE_PAGE. */
    QUIETZONE_NO_SUCH_PAGE = 21,
    /** The worker does not support the request: its program has another version. */
    QUIETZONE_INVALID_REQUEST = 22,
    /** The picture took longer than #QUIETZONE_WORKER_TIMEOUT. */
    QUIETZONE_TIMED_OUT = 23,
    /** The picture crashed its worker. */
    QUIETZONE_READER_CRASHED = 24,
    /** No worker could be started: see quietzone_set_worker_program(). */
    QUIETZONE_NO_WORKER = 25,
    /** The machine lacks a resource, such as file descriptors. */
    QUIETZONE_RESOURCE_SHORTAGE = 26,
    /** quietzone_cancel() was called. */
    QUIETZONE_CANCELLED = 27,
    /** Another error; the message says which. */
    QUIETZONE_OTHER_ERROR = 99
} quietzone_status;

/** @brief Efforts of a search, see #QUIETZONE_EFFORT. More effort never reads less. */
typedef enum quietzone_effort {
    /** Searches at most 1.5 megapixels: for frames of a camera and large symbols. */
    QUIETZONE_EFFORT_FAST = 0,
    /** Searches at most six megapixels, then the whole picture if that finds nothing or very small modules. */
    QUIETZONE_EFFORT_NORMAL = 1,
    /** Searches every size in every way, even if symbols were found. */
    QUIETZONE_EFFORT_THOROUGH = 2
} quietzone_effort;

/** @brief Options of a context, see quietzone_set_option(). */
typedef enum quietzone_option {
    /** The effort of the search, a #quietzone_effort; by default #QUIETZONE_EFFORT_NORMAL. */
    QUIETZONE_EFFORT = 1,
    /** The milliseconds after which the search ends with the symbols found so far; 0, the default, for no limit. */
    QUIETZONE_TIME_BUDGET = 2,
    /** The number of symbols after which the search ends; 0, the default, for all. */
    QUIETZONE_MAXIMUM_COUNT = 3,
    /** The most pixels of a picture, at least 1; by default 200,000,000. */
    QUIETZONE_MAXIMUM_PIXELS = 4,
    /** The most pixels of a side of a picture, at least 1; by default 65,535. */
    QUIETZONE_MAXIMUM_SIDE = 5,
    /** The most bytes of a file, at least 1; by default 268,435,456 (256 MiB). */
    QUIETZONE_MAXIMUM_FILE_BYTES = 6,
    /** The page of a PDF or TIFF, 1 to 1,000,000; by default 1. The JSON of the result has the number of `pages`. */
    QUIETZONE_PAGE = 7,
    /** The pixels per inch of a page of a PDF, 36 to 2400; 0, the default, to choose them for the page. */
    QUIETZONE_RESOLUTION = 8,
    /** 1 to add `content` to the JSON, the fields of a message such as GTIN and expiry; by default 0. */
    QUIETZONE_CONTENT = 9,
    /** The most worker processes at once, 1 to 1024; by default the number of processors. */
    QUIETZONE_WORKERS = 10,
    /** The milliseconds after which a worker is killed with its picture, at least 1; by default 30,000. */
    QUIETZONE_WORKER_TIMEOUT = 11,
    /** The memory of a worker in megabytes (2^20 bytes), 64 to 1,048,576; by default 2048. */
    QUIETZONE_WORKER_MEGABYTES = 12
} quietzone_option;

/** @brief Formats of pixels. Luma is all that is used of a color; bytes are in the order of memory. */
typedef enum quietzone_pixel_format {
    /** One byte, 0 is black. */
    QUIETZONE_GRAY = 0,
    /** Red, green, blue. */
    QUIETZONE_RGB = 1,
    /** Blue, green, red. */
    QUIETZONE_BGR = 2,
    /** Red, green, blue and a byte that is ignored. */
    QUIETZONE_RGBX = 3,
    /** Blue, green, red and a byte that is ignored. */
    QUIETZONE_BGRX = 4,
    /** Red, green, blue and alpha, not premultiplied; shown over white. */
    QUIETZONE_RGBA = 5,
    /** Blue, green, red and alpha, not premultiplied; shown over white. */
    QUIETZONE_BGRA = 6,
    /** YUV in planes (NV12, NV21, I420, YV12 and others): pixels, stride and size are those of the plane of Y. */
    QUIETZONE_YUV_PLANES = 7,
    /** Packed YUV 4:2:2, Y first (YUYV, YVYU): two bytes a pixel. */
    QUIETZONE_YUYV = 8,
    /** Packed YUV 4:2:2, Y second (UYVY, VYUY): two bytes a pixel. */
    QUIETZONE_UYVY = 9
} quietzone_pixel_format;

/* ---- The library ---- */

/** @brief Returns the version of the ABI of the loaded library; a program needs #QUIETZONE_ABI_VERSION. */
int32_t quietzone_abi_version(void);

/** @brief Returns the version of the loaded library, such as `0.2.0`. */
const char *quietzone_version(void);

/** @brief Returns the names of all symbologies, separated by commas, such as `aztec,codabar,code_128`. */
const char *quietzone_formats(void);

/** @brief Returns the sentence that explains a status and says what to do. */
const char *quietzone_status_text(quietzone_status status);

/* ---- Contexts ---- */

/** @brief Returns a new context with the default options; never null. */
quietzone_context *quietzone_context_new(void);

/** @brief Frees a context and ends its workers. Does nothing if `context` is null or was freed. */
void quietzone_context_free(quietzone_context *context);

/**
 * @brief Sets an option for the calls that start afterward.
 *
 * The options of workers apply when workers are started: at the first call that uses them, and at the first after a
 * quietzone_cancel().
 *
 * @return #QUIETZONE_INVALID_OPTION if the option is unknown or the value is outside its range; nothing is changed
 *   then.
 */
quietzone_status quietzone_set_option(quietzone_context *context, quietzone_option option, int64_t value);

/**
 * @brief Sets the symbologies to read for the calls that start afterward.
 *
 * @param formats names of quietzone_formats(), separated by commas; null for the default, which is all except those
 *   that are opt-in, see docs/reference/symbologies.md.
 * @return #QUIETZONE_UNKNOWN_FORMAT if a name is unknown or there is none; nothing is changed then.
 */
quietzone_status quietzone_set_formats(quietzone_context *context, const char *formats);

/**
 * @brief Adds a public key to check the signatures of tickets, certificates and seals with, for the calls that start
 * afterward.
 *
 * With #QUIETZONE_CONTENT the content of a signed message then has a field `signature`: `valid`, with the name of the
 * key in `signed_by`, or `not_confirmed`. Neither the dates of a certificate nor its issuer are checked.
 *
 * @param key a public key or an X.509 certificate of RSA, an elliptic curve or DSA, in PEM or DER.
 * @param size its bytes, at most 65,536.
 * @param name the name in `signed_by`.
 * @return #QUIETZONE_INVALID_KEY if it is not such a key; nothing is changed then.
 */
quietzone_status quietzone_add_signing_key(
    quietzone_context *context, const uint8_t *key, size_t size, const char *name);

/**
 * @brief Sets the program of worker processes; by default `/usr/bin/decode-image`, of the Debian package `quietzone`.
 *
 * @param path the path of a decode-image of the version of this library.
 * @return #QUIETZONE_NO_WORKER if the file is not an executable program; nothing is changed then.
 */
quietzone_status quietzone_set_worker_program(quietzone_context *context, const char *path);

/**
 * @brief Cancels all calls of decoding that run with this context; they return #QUIETZONE_CANCELLED.
 *
 * Returns at once. Loading a picture and a running pass of zbar (about 35 ms a megapixel) are finished first; worker
 * processes are killed. Later calls are not affected, and without a running call nothing happens. To cancel calls one
 * by one, give each a context of its own.
 */
quietzone_status quietzone_cancel(quietzone_context *context);

/* ---- Decoding ---- */

/**
 * @brief Decodes the picture in a file, in any format that decode-image reads.
 *
 * @param path the path of the file.
 * @param result receives a new result, in case of an error too; must not be null.
 * @return the status of the result; #QUIETZONE_NULL_POINTER without a result if `result` is null.
 */
quietzone_status quietzone_decode_file(quietzone_context *context, const char *path, quietzone_result **result);

/**
 * @brief Decodes the bytes of a picture file, in any format that decode-image reads.
 *
 * @param bytes the bytes, which must not change during the call.
 * @param size the number of bytes.
 * @param result see quietzone_decode_file().
 * @return see quietzone_decode_file().
 */
quietzone_status quietzone_decode_bytes(
    quietzone_context *context, const void *bytes, size_t size, quietzone_result **result);

/**
 * @brief Decodes pixels in memory.
 *
 * The limits of the context are checked before memory is allocated, and nothing outside the `size` bytes is read.
 *
 * @param pixels the first pixel of the top row; must not change during the call.
 * @param size the number of bytes that may be read. The last row may end before its stride.
 * @param width the width in pixels.
 * @param height the height in pixels.
 * @param stride the bytes from the start of a row to the start of the next, at least those of a row; 0 if rows follow
 *   each other without padding.
 * @param format the format of the pixels.
 * @param result see quietzone_decode_file().
 * @return see quietzone_decode_file().
 */
quietzone_status quietzone_decode_pixels(
    quietzone_context *context, const void *pixels, size_t size, uint32_t width, uint32_t height, size_t stride,
    quietzone_pixel_format format, quietzone_result **result);

/**
 * @brief Decodes a file in a worker process, for untrusted pictures: a crash or hang costs this picture alone.
 *
 * Workers are processes of quietzone_set_worker_program(), which the context starts when they are needed and keeps.
 * They are children of this process: a wait() for any child may return one, which does no harm.
 * From the first such call on, a SIGPIPE without a handler is ignored in this process. A relative path is one of the
 * working folder that the process had then.
 */
quietzone_status quietzone_decode_file_in_worker(
    quietzone_context *context, const char *path, quietzone_result **result);

/** @brief Decodes bytes in a worker process, see quietzone_decode_bytes() and quietzone_decode_file_in_worker(). */
quietzone_status quietzone_decode_bytes_in_worker(
    quietzone_context *context, const void *bytes, size_t size, quietzone_result **result);

/** @brief Decodes pixels in a worker process, see quietzone_decode_pixels() and quietzone_decode_file_in_worker(). */
quietzone_status quietzone_decode_pixels_in_worker(
    quietzone_context *context, const void *pixels, size_t size, uint32_t width, uint32_t height, size_t stride,
    quietzone_pixel_format format, quietzone_result **result);

/* ---- Results ---- */

/** @brief Frees a result and all that was read from it. Does nothing if `result` is null or was freed. */
void quietzone_result_free(quietzone_result *result);

/** @brief Returns the status of a result; #QUIETZONE_NULL_POINTER or #QUIETZONE_INVALID_HANDLE if it is not one. */
quietzone_status quietzone_result_status(const quietzone_result *result);

/** @brief Returns the sentence of an error, which names the picture; empty if there is none. Null without a result. */
const char *quietzone_result_message(const quietzone_result *result);

/**
 * @brief Returns the result as the JSON object that `decode-image --json` prints, see docs/reference/json.md.
 *
 * @param size receives the number of bytes without the zero byte at the end; may be null.
 * @return null if `result` is not a result.
 */
const char *quietzone_result_json(const quietzone_result *result, size_t *size);

/** @brief Returns the width of the stored picture in pixels; 0 if it is unknown. */
uint32_t quietzone_result_width(const quietzone_result *result);

/** @brief Returns the height of the stored picture in pixels; 0 if it is unknown. */
uint32_t quietzone_result_height(const quietzone_result *result);

/** @brief Returns the number of symbols, which are in the order from top to bottom. */
size_t quietzone_result_count(const quietzone_result *result);

/* ---- Symbols of a result, by an index from 0 ---- */

/**
 * @brief Returns the message of a symbol as text.
 *
 * @param size receives the number of bytes without the zero byte at the end, since the text may have a U+0000; may be
 *   null.
 * @return null if there is no such symbol.
 */
const char *quietzone_symbol_text(const quietzone_result *result, size_t index, size_t *size);

/**
 * @brief Returns the message of a symbol, byte for byte as the symbol holds it.
 *
 * @param size receives the number of bytes; may be null.
 * @return null if there is no such symbol; not null for an empty message.
 */
const uint8_t *quietzone_symbol_bytes(const quietzone_result *result, size_t index, size_t *size);

/** @brief Returns the name of the symbology, one of quietzone_formats(); null if there is no such symbol. */
const char *quietzone_symbol_format(const quietzone_result *result, size_t index);

/** @brief Returns the AIM identifier of ISO/IEC 15424, such as `]Q1`; null if there is no such symbol. */
const char *quietzone_symbol_identifier(const quietzone_result *result, size_t index);

/**
 * @brief Gets the corners of a symbol in pixels of the stored picture, whose top left corner is (0, 0).
 *
 * @param corners receives x and y of the top left, top right, bottom right and bottom left corner, as the symbol sees
 *   itself.
 * @return #QUIETZONE_NO_SUCH_SYMBOL if there is no such symbol; `corners` is not changed then.
 */
quietzone_status quietzone_symbol_corners(const quietzone_result *result, size_t index, double corners[8]);

/**
 * @brief Returns all that is known of a symbol as a JSON object, an element of `symbols` in docs/reference/json.md.
 *
 * @param size receives the number of bytes without the zero byte at the end; may be null.
 * @return null if there is no such symbol.
 */
const char *quietzone_symbol_json(const quietzone_result *result, size_t index, size_t *size);

#ifdef __cplusplus
}
#endif

#endif
