internal import DeviceAccess

/// A camera that was looked at.
public struct CameraDescription: Sendable, Hashable {
    /// Where it is.
    public var node: DeviceNode
    /// Its name, as the driver tells it.
    public var card: String
    /// The name of the driver.
    public var driver: String
    /// What it offers, what cannot be read too.
    public var modes: [CaptureMode]
    /// What can be set.
    public var controls: [CameraControl]
}

/// The cameras of this machine.
public enum CameraList {
    /// Every device that delivers frames, and those that may not be looked at, with the reason.
    ///
    /// Devices that deliver none, such as the second one that a USB camera has for its metadata, are left out.
    public static func all() -> [Result<CameraDescription, CaptureError>] {
        all(calls: KernelCalls())
    }

    /// The camera at a path.
    public static func describe(path: String) throws(CaptureError) -> CameraDescription {
        let calls = KernelCalls()
        let resolved = DeviceFiles.resolved(path) ?? path
        let node = calls.devices().first { $0.path == resolved } ?? DeviceNode(path: path, stablePaths: [])
        return try describe(node, calls: calls)
    }

    package static func all(calls: any V4L2Calls) -> [Result<CameraDescription, CaptureError>] {
        calls.devices().compactMap { node in
            do throws(CaptureError) {
                return .success(try describe(node, calls: calls))
            } catch {
                return error.code == .notACamera ? nil : .failure(error)
            }
        }
    }

    private static func describe(_ node: DeviceNode, calls: any V4L2Calls) throws(CaptureError) -> CameraDescription {
        let device = try CaptureDevice(path: node.path, calls: calls)
        return CameraDescription(
            node: node, card: device.card, driver: device.driver, modes: device.modes(), controls: device.controls())
    }

    /// The path of the first camera, by its stable name where it has one.
    static func first(among devices: [DeviceNode], calls: any V4L2Calls) throws(CaptureError) -> String {
        var refusal: CaptureError?
        for node in devices {
            do throws(CaptureError) {
                _ = try CaptureDevice(path: node.path, calls: calls)
                return node.stablePaths.first ?? node.path
            } catch {
                if error.code != .notACamera { refusal = refusal ?? error }
            }
        }
        throw refusal
            ?? CaptureError(
                .noCamera,
                "there is no camera; plug one in, or let --replay play pictures in its place")
    }
}
