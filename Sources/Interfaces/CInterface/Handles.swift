internal import Synchronization

/// The objects that callers hold, by handle.
///
/// A handle is a number that is looked up, and is never used twice, so that one that was freed is an error instead of an
/// access to freed memory. This is the only state that contexts share.
enum Handles {
    private struct Table {
        var last: UInt = 0
        var objects: [UInt: any AnyObject & Sendable] = [:]
    }

    private static let table = Mutex(Table())

    /// Keeps an object until ``remove(_:as:)``.
    static func add(_ object: any AnyObject & Sendable) -> OpaquePointer? {
        table.withLock { table in
            table.last += 1
            table.objects[table.last] = object
            return OpaquePointer(bitPattern: table.last)
        }
    }

    /// Returns the object of a handle; `nil` if it was removed, or is of another type.
    static func object<Object: AnyObject & Sendable>(_ handle: OpaquePointer?, as type: Object.Type) -> Object? {
        table.withLock { $0.objects[UInt(bitPattern: handle)] } as? Object
    }

    /// Forgets an object, which lives on as long as a call uses it.
    static func remove<Object: AnyObject & Sendable>(_ handle: OpaquePointer?, as type: Object.Type) {
        guard object(handle, as: type) != nil else { return }
        // The object is released outside of the lock: its end may take time.
        _ = table.withLock { $0.objects.removeValue(forKey: UInt(bitPattern: handle)) }
    }
}
