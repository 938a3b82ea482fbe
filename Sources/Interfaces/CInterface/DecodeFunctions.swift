internal import BarcodeCore
public import CQuietzone
internal import DecodeReports
internal import Glibc
internal import ImageCodecs
internal import Synchronization

// The functions of quietzone.h that decode. The header describes each of them.

/// Decodes a file.
@_cdecl("quietzone_decode_file")
public func decodeFile(
    _ context: OpaquePointer?, _ path: UnsafePointer<CChar>?, _ result: UnsafeMutablePointer<OpaquePointer?>?
) -> quietzone_status {
    decode(context, result, in: .thisProcess) { (_) throws(DecodeError) in .file(try PictureName(path)) }
}

/// Decodes a file in a worker.
@_cdecl("quietzone_decode_file_in_worker")
public func decodeFileInWorker(
    _ context: OpaquePointer?, _ path: UnsafePointer<CChar>?, _ result: UnsafeMutablePointer<OpaquePointer?>?
) -> quietzone_status {
    decode(context, result, in: .worker) { (_) throws(DecodeError) in .file(try PictureName(path)) }
}

/// Decodes the bytes of a file.
@_cdecl("quietzone_decode_bytes")
public func decodeBytes(
    _ context: OpaquePointer?, _ bytes: UnsafeRawPointer?, _ size: Int,
    _ result: UnsafeMutablePointer<OpaquePointer?>?
) -> quietzone_status {
    decode(context, result, in: .thisProcess) { (limits) throws(DecodeError) in .bytes(try copy(bytes, size, limits)) }
}

/// Decodes the bytes of a file in a worker.
@_cdecl("quietzone_decode_bytes_in_worker")
public func decodeBytesInWorker(
    _ context: OpaquePointer?, _ bytes: UnsafeRawPointer?, _ size: Int,
    _ result: UnsafeMutablePointer<OpaquePointer?>?
) -> quietzone_status {
    decode(context, result, in: .worker) { (limits) throws(DecodeError) in .bytes(try copy(bytes, size, limits)) }
}

/// Decodes pixels.
@_cdecl("quietzone_decode_pixels")
public func decodePixels(
    _ context: OpaquePointer?, _ pixels: UnsafeRawPointer?, _ size: Int, _ width: UInt32, _ height: UInt32,
    _ stride: Int, _ format: quietzone_pixel_format, _ result: UnsafeMutablePointer<OpaquePointer?>?
) -> quietzone_status {
    decode(context, result, in: .thisProcess) { (limits) throws(DecodeError) in
        .image(try image(pixels, size, width, height, stride, format, limits))
    }
}

/// Decodes pixels in a worker.
@_cdecl("quietzone_decode_pixels_in_worker")
public func decodePixelsInWorker(
    _ context: OpaquePointer?, _ pixels: UnsafeRawPointer?, _ size: Int, _ width: UInt32, _ height: UInt32,
    _ stride: Int, _ format: quietzone_pixel_format, _ result: UnsafeMutablePointer<OpaquePointer?>?
) -> quietzone_status {
    decode(context, result, in: .worker) { (limits) throws(DecodeError) in
        .image(try image(pixels, size, width, height, stride, format, limits))
    }
}

/// Decodes a picture, and makes a result of its report, or of the error of a misused call.
///
/// `picture` gets the limits of the context, and returns the picture that the arguments of the call describe.
private func decode(
    _ handle: OpaquePointer?, _ result: UnsafeMutablePointer<OpaquePointer?>?, in process: Context.Process,
    _ picture: (Limits) throws(DecodeError) -> Picture
) -> quietzone_status {
    guard let result else { return QUIETZONE_NULL_POINTER }
    let report: DecodeReport
    do throws(DecodeError) {
        guard handle != nil else { throw StatusRow.error(QUIETZONE_NULL_POINTER) }
        guard let context = Handles.object(handle, as: Context.self) else {
            throw StatusRow.error(QUIETZONE_INVALID_HANDLE)
        }
        let settings = context.settings.withLock { $0 }
        report = context.report(on: try picture(settings.limits), settings, in: process)
    } catch {
        report = DecodeReport(source: Picture.nameInMemory, error: error)
    }
    let made = DecodeResult(report)
    result.pointee = Handles.add(made)
    return made.status
}

/// Copies the bytes of a file.
private func copy(_ bytes: UnsafeRawPointer?, _ size: Int, _ limits: Limits) throws(DecodeError) -> [UInt8] {
    // C has no empty array: a null pointer of no bytes is an empty file.
    if size == 0 { return [] }
    guard let bytes else { throw StatusRow.error(QUIETZONE_NULL_POINTER) }
    // A size beyond `Int.max` comes as a negative one.
    guard size > 0 else { throw StatusRow.error(QUIETZONE_TOO_LARGE) }
    try limits.check(fileBytes: size)
    return [UInt8](UnsafeRawBufferPointer(start: bytes, count: size))
}

/// Converts pixels to luma.
private func image(
    _ pixels: UnsafeRawPointer?, _ size: Int, _ width: UInt32, _ height: UInt32, _ stride: Int,
    _ format: quietzone_pixel_format, _ limits: Limits
) throws(DecodeError) -> LumaImage {
    guard let pixels else { throw StatusRow.error(QUIETZONE_NULL_POINTER) }
    guard size >= 0, let format = PixelLayout.Format(format) else { throw StatusRow.error(QUIETZONE_INVALID_PIXELS) }
    let layout = PixelLayout(
        width: Int(width), height: Int(height), bytesPerRow: stride == 0 ? nil : stride, format: format)
    do throws(DecodeError) {
        return try layout.image(in: UnsafeRawBufferPointer(start: pixels, count: size), limits: limits)
    } catch {
        throw error.code == .invalidRequest ? DecodeError(.invalidPixels, error.message) : error
    }
}

extension PixelLayout.Format {
    /// The format of the header's name; `nil` if it is unknown.
    fileprivate init?(_ format: quietzone_pixel_format) {
        switch format {
        case QUIETZONE_GRAY, QUIETZONE_YUV_PLANES: self = .gray
        case QUIETZONE_RGB: self = .rgb
        case QUIETZONE_BGR: self = .bgr
        case QUIETZONE_RGBX: self = .rgbx
        case QUIETZONE_BGRX: self = .bgrx
        case QUIETZONE_RGBA: self = .rgba
        case QUIETZONE_BGRA: self = .bgra
        case QUIETZONE_YUYV: self = .yuyv
        case QUIETZONE_UYVY: self = .uyvy
        default: return nil
        }
    }
}

extension PictureName {
    fileprivate init(_ path: UnsafePointer<CChar>?) throws(DecodeError) {
        guard let path else { throw StatusRow.error(QUIETZONE_NULL_POINTER) }
        self.init(bytes: UnsafeBufferPointer(start: path, count: strlen(path)).map { UInt8(bitPattern: $0) })
    }
}
