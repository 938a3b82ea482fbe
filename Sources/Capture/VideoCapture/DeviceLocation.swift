internal import DeviceAccess

/// Where a camera is found again.
struct DeviceLocation: Sendable, Hashable {
    /// The path by which it was first opened.
    let path: String
    /// The stable names that led to it then, the best first.
    let stablePaths: [String]

    /// The camera at `path`, with the names that lead to it.
    init(path: String, among devices: [DeviceNode]) {
        self.path = path
        let resolved = DeviceFiles.resolved(path) ?? path
        stablePaths = devices.first { $0.path == resolved || $0.path == path }?.stablePaths ?? []
    }

    /// By which path to open it now: a stable name that leads to a device, else the first path.
    ///
    /// The number of a device may be another one when it comes back, and its old number may be another camera's.
    func path(among devices: [DeviceNode]) -> String {
        for stable in stablePaths {
            if devices.contains(where: { $0.stablePaths.contains(stable) }) { return stable }
        }
        return stablePaths.first ?? path
    }
}
