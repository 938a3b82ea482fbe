internal import BarcodeCore
internal import CQuietzone

/// A status of the header, the error code that it stands for, and its sentence.
struct StatusRow {
    let status: quietzone_status
    let code: DecodeError.Code?
    let text: StaticString

    private init(_ status: quietzone_status, _ code: DecodeError.Code? = nil, _ text: StaticString) {
        (self.status, self.code, self.text) = (status, code, text)
    }

    static let other = StatusRow(
        QUIETZONE_OTHER_ERROR, nil, "The picture could not be read; the message of the result says why.")

    static let all: [StatusRow] = [
        StatusRow(QUIETZONE_OK, nil, "The call succeeded."),
        StatusRow(QUIETZONE_NULL_POINTER, .nullPointer, "A pointer is null; pass one to an object that exists."),
        StatusRow(
            QUIETZONE_INVALID_HANDLE, .invalidHandle,
            "The context or result was freed, or is not one; create it before the call."),
        StatusRow(
            QUIETZONE_INVALID_OPTION, nil,
            "The option is unknown, or its value is outside the range that the header quietzone.h names."),
        StatusRow(
            QUIETZONE_UNKNOWN_FORMAT, nil,
            "The list of formats has an unknown name; separate names of quietzone_formats() by commas."),
        StatusRow(
            QUIETZONE_INVALID_PIXELS, .invalidPixels,
            "The width, height, stride, format and size of the pixels contradict each other; correct them."),
        StatusRow(
            QUIETZONE_NO_SUCH_SYMBOL, nil,
            "The result has no symbol with this index; use one below quietzone_result_count()."),
        StatusRow(
            QUIETZONE_INVALID_KEY, nil,
            "The bytes are no public key or certificate in PEM or DER, or libcrypto 3 is missing: install libssl3."),
        StatusRow(QUIETZONE_NOT_FOUND, .notFound, "The file does not exist; check its path."),
        StatusRow(
            QUIETZONE_PERMISSION_DENIED, .permissionDenied,
            "This user has no permission to read the file; change its owner or mode."),
        StatusRow(QUIETZONE_IS_DIRECTORY, .isDirectory, "The path is a folder; pass the path of a file."),
        StatusRow(QUIETZONE_UNREADABLE, .unreadable, "The file could not be read; the message says why."),
        StatusRow(QUIETZONE_EMPTY_FILE, .emptyFile, "The file has no bytes; get it again."),
        StatusRow(
            QUIETZONE_UNSUPPORTED_FORMAT, .unsupportedFormat,
            "The bytes are not in a supported picture format; convert the picture to PNG or JPEG."),
        StatusRow(
            QUIETZONE_MISSING_CODEC, .missingCodec,
            "The library of the picture format is not installed; install the package that the message names."),
        StatusRow(QUIETZONE_CORRUPT, .corrupt, "The picture is damaged, or has no pixels; get it again."),
        StatusRow(
            QUIETZONE_TOO_LARGE, .tooLarge,
            "The picture exceeds a limit of the context; shrink it, or raise the limit that the message names."),
        StatusRow(
            QUIETZONE_OUT_OF_MEMORY, .outOfMemory,
            "There is not enough memory for the picture; shrink it, or allow workers more."),
        StatusRow(QUIETZONE_ENCRYPTED, .encrypted, "The document needs a password; save it without one."),
        StatusRow(QUIETZONE_NO_SUCH_PAGE, .noSuchPage, "The document has fewer pages; set a smaller page."),
        StatusRow(
            QUIETZONE_INVALID_REQUEST, .invalidRequest,
            "The worker does not support the request; use a decode-image of the version of this library."),
        StatusRow(
            QUIETZONE_TIMED_OUT, .timedOut, "The picture took too long; allow workers more time, or set less effort."),
        StatusRow(
            QUIETZONE_READER_CRASHED, .readerCrashed, "The picture crashed its worker; it is damaged or hostile."),
        StatusRow(
            QUIETZONE_NO_WORKER, .noWorker,
            "No worker could be started; install decode-image and set its path by quietzone_set_worker_program()."),
        StatusRow(
            QUIETZONE_RESOURCE_SHORTAGE, .resourceShortage,
            "The machine lacks a resource, such as file descriptors; try again later."),
        StatusRow(QUIETZONE_CANCELLED, .cancelled, "The call was canceled by quietzone_cancel()."),
        other,
    ]

    /// The row of a status; ``other`` if it is unknown.
    static func row(of status: quietzone_status) -> StatusRow {
        all.first { $0.status == status } ?? other
    }

    /// The status of an error; success if there is none.
    static func status(of error: DecodeError?) -> quietzone_status {
        guard let error else { return QUIETZONE_OK }
        return (all.first { $0.code == error.code } ?? other).status
    }

    /// The error of a misused call; only for a status with a code.
    static func error(_ status: quietzone_status) -> DecodeError {
        let row = row(of: status)
        return DecodeError(row.code ?? .invalidRequest, "\(row.text)")
    }
}

extension DecodeError.Code {
    static let nullPointer = DecodeError.Code(rawValue: "null_pointer")
    static let invalidHandle = DecodeError.Code(rawValue: "invalid_handle")
    static let invalidPixels = DecodeError.Code(rawValue: "invalid_pixels")
}
