internal import DeviceAccess

/// The path and stable names by which a camera is found again.
struct DeviceLocation: Sendable, Hashable {
    /// The path that it was first opened with.
    let path: String
    /// The stable names of the camera at that time, best first.
    let stablePaths: [String]

    /// Creates the location of the camera at `path`, with its stable names.
    init(path: String, among devices: [DeviceNode]) {
        self.path = path
        let resolved = DeviceFiles.resolved(path) ?? path
        stablePaths = devices.first { $0.path == resolved || $0.path == path }?.stablePaths ?? []
    }

    /// Returns the path to open now: a stable name that exists, otherwise the first path.
    ///
    /// A camera that comes back may have another device number, and its old number may belong to another camera.
    func path(among devices: [DeviceNode]) -> String {
        for stable in stablePaths {
            if devices.contains(where: { $0.stablePaths.contains(stable) }) { return stable }
        }
        return stablePaths.first ?? path
    }
}
