internal import DeviceAccess

/// A camera with its modes and controls.
public struct CameraDescription: Sendable, Hashable {
    /// The device file and its stable names.
    public var node: DeviceNode
    /// The name of the camera, as the driver reports it.
    public var card: String
    /// The name of the driver.
    public var driver: String
    /// The modes that the camera offers, including unsupported ones.
    public var modes: [CaptureMode]
    /// The controls of the camera.
    public var controls: [CameraControl]
}

/// Lists the cameras of this machine.
public enum CameraList {
    /// Lists every camera; a device that cannot be opened is listed with the error.
    ///
    /// Devices without frames, such as the metadata device of a USB camera, are left out.
    public static func all() -> [Result<CameraDescription, CaptureError>] {
        all(calls: KernelCalls())
    }

    /// Describes the camera at a path.
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

    /// Returns the path of the first camera, its stable name if it has one.
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
                "there is no camera; plug one in, or play pictures with --replay")
    }
}
