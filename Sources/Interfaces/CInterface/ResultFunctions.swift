internal import BarcodeCore
public import CQuietzone
internal import DecodeReports

// The functions of quietzone.h on results. The header describes each of them.

/// Frees a result.
@_cdecl("quietzone_result_free")
public func freeResult(_ result: OpaquePointer?) { Handles.remove(result, as: DecodeResult.self) }

/// Returns the status of a result.
@_cdecl("quietzone_result_status")
public func resultStatus(_ result: OpaquePointer?) -> quietzone_status {
    guard result != nil else { return QUIETZONE_NULL_POINTER }
    return found(result)?.status ?? QUIETZONE_INVALID_HANDLE
}

/// Returns the sentence of an error.
@_cdecl("quietzone_result_message")
public func resultMessage(_ result: OpaquePointer?) -> UnsafePointer<CChar>? { found(result)?.message.characters }

/// Returns the JSON of a result.
@_cdecl("quietzone_result_json")
public func resultJSON(_ result: OpaquePointer?, _ size: UnsafeMutablePointer<Int>?) -> UnsafePointer<CChar>? {
    give(found(result)?.json, size)
}

/// Returns the width of the picture in pixels.
@_cdecl("quietzone_result_width")
public func resultWidth(_ result: OpaquePointer?) -> UInt32 { UInt32(clamping: found(result)?.report.width ?? 0) }

/// Returns the height of the picture in pixels.
@_cdecl("quietzone_result_height")
public func resultHeight(_ result: OpaquePointer?) -> UInt32 { UInt32(clamping: found(result)?.report.height ?? 0) }

/// Returns the number of symbols.
@_cdecl("quietzone_result_count")
public func resultCount(_ result: OpaquePointer?) -> Int { found(result)?.symbols.count ?? 0 }

/// Returns the text of a symbol.
@_cdecl("quietzone_symbol_text")
public func symbolText(
    _ result: OpaquePointer?, _ index: Int, _ size: UnsafeMutablePointer<Int>?
) -> UnsafePointer<CChar>? {
    give(texts(result, index)?.text, size)
}

/// Returns the bytes of a symbol.
@_cdecl("quietzone_symbol_bytes")
public func symbolBytes(
    _ result: OpaquePointer?, _ index: Int, _ size: UnsafeMutablePointer<Int>?
) -> UnsafePointer<UInt8>? {
    let bytes = texts(result, index)?.bytes
    size?.pointee = bytes?.bytes.count ?? 0
    return bytes?.bytes.baseAddress
}

/// Returns the name of the symbology of a symbol.
@_cdecl("quietzone_symbol_format")
public func symbolFormat(_ result: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
    texts(result, index)?.format.characters
}

/// Returns the AIM identifier of a symbol.
@_cdecl("quietzone_symbol_identifier")
public func symbolIdentifier(_ result: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
    texts(result, index)?.identifier.characters
}

/// Gets the corners of a symbol.
@_cdecl("quietzone_symbol_corners")
public func symbolCorners(
    _ result: OpaquePointer?, _ index: Int, _ corners: UnsafeMutablePointer<Double>?
) -> quietzone_status {
    guard result != nil, let corners else { return QUIETZONE_NULL_POINTER }
    guard let found = found(result) else { return QUIETZONE_INVALID_HANDLE }
    guard found.symbols.indices.contains(index) else { return QUIETZONE_NO_SUCH_SYMBOL }
    for (number, point) in found.report.symbols[index].corners.points.enumerated() {
        corners[2 * number] = point.x
        corners[2 * number + 1] = point.y
    }
    return QUIETZONE_OK
}

/// Returns the JSON of a symbol.
@_cdecl("quietzone_symbol_json")
public func symbolJSON(
    _ result: OpaquePointer?, _ index: Int, _ size: UnsafeMutablePointer<Int>?
) -> UnsafePointer<CChar>? {
    guard let found = found(result), found.symbols.indices.contains(index) else { return give(nil, size) }
    return give(found.json(ofSymbol: index), size)
}

private func found(_ handle: OpaquePointer?) -> DecodeResult? { Handles.object(handle, as: DecodeResult.self) }

private func texts(_ handle: OpaquePointer?, _ index: Int) -> DecodeResult.SymbolTexts? {
    guard let found = found(handle), found.symbols.indices.contains(index) else { return nil }
    return found.symbols[index]
}

/// Returns a text and its size; null and 0 if there is none.
private func give(_ text: CText?, _ size: UnsafeMutablePointer<Int>?) -> UnsafePointer<CChar>? {
    size?.pointee = text?.bytes.count ?? 0
    return text?.characters
}
