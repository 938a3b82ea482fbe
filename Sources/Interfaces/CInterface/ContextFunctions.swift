internal import BarcodeCore
public import CQuietzone
internal import SymbolContent
internal import Synchronization
internal import SystemPackage

// The functions of quietzone.h on contexts and the library. The header describes each of them.

/// Returns the version of the ABI.
@_cdecl("quietzone_abi_version")
public func abiVersion() -> Int32 { QUIETZONE_ABI_VERSION }

private let versionText = CText(Quietzone.version)
private let formatsText = CText(Symbology.all.map(\.rawValue).sorted().joined(separator: ","))

/// Returns the version of the library.
@_cdecl("quietzone_version")
public func version() -> UnsafePointer<CChar>? { versionText.characters }

/// Returns the names of all symbologies.
@_cdecl("quietzone_formats")
public func formats() -> UnsafePointer<CChar>? { formatsText.characters }

/// Returns the sentence of a status.
@_cdecl("quietzone_status_text")
public func statusText(_ status: quietzone_status) -> UnsafePointer<CChar> {
    UnsafeRawPointer(StatusRow.row(of: status).text.utf8Start).assumingMemoryBound(to: CChar.self)
}

/// Returns a new context.
@_cdecl("quietzone_context_new")
public func newContext() -> OpaquePointer? { Handles.add(Context()) }

/// Frees a context.
@_cdecl("quietzone_context_free")
public func freeContext(_ context: OpaquePointer?) { Handles.remove(context, as: Context.self) }

/// Sets an option of a context.
@_cdecl("quietzone_set_option")
public func setOption(_ context: OpaquePointer?, _ option: quietzone_option, _ value: Int64) -> quietzone_status {
    with(context) { $0.set(option, to: value) }
}

/// Sets the symbologies of a context.
@_cdecl("quietzone_set_formats")
public func setFormats(_ context: OpaquePointer?, _ formats: UnsafePointer<CChar>?) -> quietzone_status {
    with(context) { $0.setFormats(formats.map { String(cString: $0) }) }
}

/// Adds a public key to check signatures with.
@_cdecl("quietzone_add_signing_key")
public func addSigningKey(
    _ context: OpaquePointer?, _ key: UnsafePointer<UInt8>?, _ size: Int, _ name: UnsafePointer<CChar>?
) -> quietzone_status {
    with(context) { context in
        guard let key, let name else { return QUIETZONE_NULL_POINTER }
        guard (1...SigningKeys.maximumBytes).contains(size) else { return QUIETZONE_INVALID_KEY }
        let bytes = Array(UnsafeBufferPointer(start: key, count: size))
        return context.addSigningKey(bytes, named: String(cString: name))
    }
}

/// Sets the program of workers.
@_cdecl("quietzone_set_worker_program")
public func setWorkerProgram(_ context: OpaquePointer?, _ path: UnsafePointer<CChar>?) -> quietzone_status {
    with(context) { context in
        guard let path else { return QUIETZONE_NULL_POINTER }
        let program = FilePath(platformString: path)
        // A name without a slash would be looked up in PATH, which workers are not.
        guard program.string.contains("/"), ProgramSearch.finds(program.string) else { return QUIETZONE_NO_WORKER }
        context.settings.withLock { $0.workers.program = program }
        return QUIETZONE_OK
    }
}

/// Cancels the running calls of a context.
@_cdecl("quietzone_cancel")
public func cancel(_ context: OpaquePointer?) -> quietzone_status {
    with(context) { context in
        context.cancel()
        return QUIETZONE_OK
    }
}

private func with(_ handle: OpaquePointer?, _ body: (Context) -> quietzone_status) -> quietzone_status {
    guard handle != nil else { return QUIETZONE_NULL_POINTER }
    guard let context = Handles.object(handle, as: Context.self) else { return QUIETZONE_INVALID_HANDLE }
    return body(context)
}

extension CText {
    /// The bytes as a C string.
    var characters: UnsafePointer<CChar>? {
        UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self)
    }
}
