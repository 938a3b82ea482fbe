import CLinux
import DecodeWorkers
import Glibc
import ImageCodecs
import NIOCore
import ProgramSupport
import ScanDevices
import VideoCapture

/// Checks that files with secrets are out of reach of the machine's other users.
enum SecretCheck {
    /// - Parameter files: the paths of the files that the configuration names.
    static func findings(_ files: Set<String>) -> [Finding] {
        if files.isEmpty { return [] }
        let exposed = files.sorted().filter(isExposed)
        if exposed.isEmpty {
            return [.ok("secrets", "\(files.count) checked; only owners and groups can read or change them")]
        }
        return exposed.map { path in
            .warning(
                "secrets", "every user of this machine can read or change \(path)", remedy: "sudo chmod o= '\(path)'")
        }
    }

    /// Indicates whether any user can read or write a file: the file and each folder above it must allow that.
    private static func isExposed(_ path: String) -> Bool {
        guard let resolved = realpath(path, nil) else { return false }
        defer { free(resolved) }
        var path = String(cString: resolved)
        var needed = mode_t(S_IROTH | S_IWOTH)
        while true {
            var status = stat()
            guard stat(path, &status) == 0, status.st_mode & needed != 0 else { return false }
            guard path != "/", let slash = path.lastIndex(of: "/") else { return true }
            path = slash == path.startIndex ? "/" : String(path[..<slash])
            needed = mode_t(S_IXOTH)
        }
    }
}

/// Checks that the station can listen on its port.
struct PortCheck {
    let address: String
    let port: Int
    /// Indicates whether a station is running, which then uses the port.
    let isRunning: Bool

    func findings() -> [Finding] {
        let endpoint = "\(address):\(port)"
        switch failure() {
        case 0: return [.ok("port", "\(endpoint) is free")]
        case EADDRINUSE where isRunning: return [.ok("port", "\(endpoint) is in use, by the running station")]
        case EADDRINUSE:
            return [
                .fault(
                    "port", "another program listens at \(endpoint)",
                    remedy: "stop it, or choose another port; to find it: sudo ss -ltnp 'sport = :\(port)'")
            ]
        case EACCES:
            return [.fault("port", "\(User.name) may not listen at \(endpoint)", remedy: "choose a port above 1023")]
        case let code:
            return [
                .fault(
                    "port", "no program can listen at \(endpoint): \(String(cString: strerror(code)))",
                    remedy: "set server.address to an address of this machine: ip -brief address")
            ]
        }
    }

    /// The error number of an attempt to bind the port; 0 if it is available.
    private func failure() -> Int32 {
        guard let socketAddress = try? SocketAddress.makeAddressResolvingHost(address, port: port) else {
            return EADDRNOTAVAIL
        }
        let family = socketAddress.protocol == .inet6 ? AF_INET6 : AF_INET
        let descriptor = socket(family, Int32(SOCK_STREAM.rawValue), 0)
        if descriptor < 0 { return errno }
        defer { close(descriptor) }
        // Recently closed connections do not block the port.
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        let outcome = socketAddress.withSockAddr { bind(descriptor, $0, socklen_t($1)) }
        if outcome != 0 { return errno }
        return listen(descriptor, 1) == 0 ? 0 : errno
    }
}

/// Checks that there is a camera with sufficient permissions.
struct CameraCheck {
    /// The configured camera: a path, `none`, or `nil` for the first camera.
    let camera: String?
    /// The configured camera as a command or address; `nil` for a path.
    let command: CaptureCommand?

    func findings() -> [Finding] {
        if camera == "none" { return [.ok("camera", "none is configured")] }
        if let command {
            do throws(CaptureError) {
                try command.checkProgram()
                return [.ok("camera", "\(command.name) is configured, and its program is installed")]
            } catch {
                return [.fault("camera", "\(error)", remedy: "install the program, or correct camera.device")]
            }
        }
        if let camera {
            do throws(CaptureError) {
                return [.ok("camera", Self.words(try CameraList.describe(path: camera)))]
            } catch {
                return [.fault("camera", "\(error)", remedy: Self.remedy(error))]
            }
        }
        let cameras = CameraList.all()
        if cameras.isEmpty {
            return [
                .warning(
                    "camera", "there is none; the page works with pictures and guns only",
                    remedy: "plug one in, then: decode-camera --list")
            ]
        }
        return cameras.map { camera in
            switch camera {
            case .success(let camera): .ok("camera", Self.words(camera))
            case .failure(let error): .fault("camera", "\(error)", remedy: Self.remedy(error))
            }
        }
    }

    private static func words(_ camera: CameraDescription) -> String {
        "\(camera.node.stablePaths.first ?? camera.node.path): \(camera.card)"
    }

    private static func remedy(_ error: CaptureError) -> String {
        switch error.code {
        case .permissionDenied: "sudo usermod -aG video \(User.name), then log in again or restart the service"
        case .busy: "stop the program that uses it: fuser -v \(error.subject ?? "/dev/video0")"
        default: "plug it in; to list the cameras: decode-camera --list"
        }
    }
}

/// Checks that each configured scan gun and scale exists and is readable.
struct DeviceCheck {
    let configured: [DeviceConfiguration]

    func findings() -> [Finding] {
        if configured.isEmpty { return [.ok("devices", "no gun or scale is configured")] }
        let (present, faults) = DeviceList.all()
        let usesBluetooth = configured.contains { $0.match.connection == .bluetooth }
        let bluetooth = usesBluetooth ? DeviceList.bluetooth(searching: nil) : (devices: [], fault: nil)
        return configured.map { device in
            device.match.connection == .bluetooth
                ? self.bluetooth(device, bluetooth.devices.map(\.device), bluetooth.fault)
                : wired(device, present, faults)
        }
    }

    private func wired(_ device: DeviceConfiguration, _ present: [DeviceIdentity], _ faults: [String]) -> Finding {
        let right = "/usr/lib/udev/rules.d/70-quietzone-devices.rules gives access; scan-devices list shows the devices"
        let path = present.first(where: device.match.matches)?.path ?? device.match.path.flatMap(Self.there)
        if let path {
            return access(path, R_OK | W_OK) == 0
                ? .ok("devices", "\(device.name) is \(path)")
                : .fault("devices", "\(device.name) is \(path), which \(User.name) may not read", remedy: right)
        }
        if device.match.connection != .serial, !faults.isEmpty {
            return .fault("devices", "\(device.name): \(faults.joined(separator: "; "))", remedy: right)
        }
        return .warning(
            "devices", "\(device.name): no connected device matches it",
            remedy: "plug it in, then: scan-devices list")
    }

    private static func there(_ path: String) -> String? { access(path, F_OK) == 0 ? path : nil }

    private func bluetooth(_ device: DeviceConfiguration, _ known: [DeviceIdentity], _ fault: String?) -> Finding {
        if let found = known.first(where: device.match.matches) {
            return .ok("devices", "\(device.name) is known to bluetoothd: \(found.name)")
        }
        if let fault {
            return .fault("devices", "\(device.name): \(fault)", remedy: "sudo systemctl start bluetooth")
        }
        return .warning(
            "devices", "\(device.name): bluetoothd has not found it yet",
            remedy: "switch it on near the station, then: scan-devices list --bluetooth 10")
    }
}

/// Checks that the desktop shows the configured notifications.
struct DesktopCheck {
    let isWanted: Bool

    func findings() -> [Finding] {
        guard isWanted else { return [] }
        guard let problem = DesktopNotification.problem else {
            return [.ok("notifications", "the desktop of this session shows them")]
        }
        return [
            .warning(
                "notifications", problem, remedy: "fix this, or remove notifications.desktop from the configuration")
        ]
    }
}

/// Finds image formats that cannot be read because a library is missing.
enum CodecCheck {
    static func findings() -> [Finding] {
        let missing = CodecVersions.libraries.filter { $0.version == nil }
        if missing.isEmpty { return [.ok("codecs", "all picture formats can be decoded")] }
        return missing.map { library in
            .warning(
                "codecs", "\(library.name) is not installed, so its formats cannot be decoded",
                remedy: "sudo apt install \(library.package ?? library.name)")
        }
    }
}

/// Checks that the processes that decode uploads run in a sandbox.
enum SandboxCheck {
    static func findings() -> [Finding] {
        guard Sandbox.filtersSystemCalls else {
            return [
                .warning(
                    "sandbox", "uploads are decoded without a filter of system calls",
                    remedy: "sudo apt install libseccomp2, and allow seccomp in the container")
            ]
        }
        guard Sandbox.restrictsFiles else {
            return [
                .warning(
                    "sandbox",
                    "the kernel has no Landlock, so a hostile upload may read files of the station's user, "
                        + "and the page shows no pictures of uploads",
                    remedy: "use a kernel with Landlock, and have it in the list of /sys/kernel/security/lsm")
            ]
        }
        return [.ok("sandbox", "uploads are decoded with a filter of system calls and of files")]
    }
}

/// Checks that the system clock is synchronized.
enum ClockCheck {
    static func findings() -> [Finding] {
        switch qz_clock_is_synchronized() {
        case 1: [.ok("clock", "is synchronized")]
        case 0:
            [
                .warning(
                    "clock", "is not synchronized, so the times of events drift",
                    remedy: "sudo timedatectl set-ntp true")
            ]
        default: []
        }
    }
}
