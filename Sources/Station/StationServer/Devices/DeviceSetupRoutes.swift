internal import BridgeDialects
internal import HTTPTypes
internal import Hummingbird
internal import ImageCodecs
internal import NIOCore
internal import ScanDevices
internal import StationDevices

/// `/devices/settings`, `/devices/setting-code` and `/devices/learn`: configures a gun, and finds it by a scan.
struct DeviceSetupRoutes: Sendable {
    let devices: DeviceRegistry
    let search: DeviceSearch
    let settings: SettingTable

    private struct SettingMessage: Encodable {
        var maker: String
        var name: String
        /// The maximum length of its text, in characters; null if it takes none.
        var maximumLength: OrNull<Int>
        var summary: String
    }

    private struct Settings: Encodable {
        var settings: [SettingMessage]
    }

    private struct SearchMessage: Encodable {
        /// `idle`, `waiting`, `found` or `expired`.
        var state: String
        /// The code for the gun to scan.
        var code: String
        var problems: [String] = []
        /// The device's part of the configuration; null if no device has been found.
        var configuration: OrNull<String>
    }

    func add(to group: RouteGroup) {
        group.get(
            "devices/settings",
            RouteDescription(
                "deviceSettings", "What scan guns can be set to by reading a code",
                answer: .data(
                    .fields([
                        "settings": .list(
                            of: .fields([
                                "maker": ["type": "string"], "name": ["type": "string"],
                                "maximumLength": [
                                    "type": ["integer", "null"],
                                    "description": "The most characters of its text; null of one that takes none.",
                                ], "summary": ["type": "string"],
                            ]))
                    ])))
        ) { _, _ in
            Envelope.answer(
                data: Settings(
                    settings: settings.settings.map {
                        SettingMessage(
                            maker: $0.maker, name: $0.name, maximumLength: OrNull($0.maximumLength),
                            summary: $0.summary)
                    }))
        }
        group.get(
            "devices/setting-code",
            RouteDescription(
                "settingCode", "The code that sets a gun, as a Code 128",
                parameters: [
                    .query("name", "The setting.", ["type": "string"], isRequired: true),
                    .query("maker", "The maker, where several have it.", ["type": "string"]),
                    .query("text", "Its text, such as the name that the gun is to have.", ["type": "string"]),
                    .query(
                        "format", "How it is written; as SVG unless said otherwise.",
                        ["type": "string", "enum": ["svg", "png", "pdf"]]),
                ],
                answer: .file(
                    "The code.",
                    [
                        "image/svg+xml": ["type": "string"], "image/png": ["type": "string", "format": "binary"],
                        "application/pdf": ["type": "string", "format": "binary"],
                    ]), failures: [.badRequest, .notFound])
        ) { request, _ in try code(request.query) }
        addSearch(to: group)
    }

    /// Adds the routes that find a gun by a code that it scans.
    private func addSearch(to group: RouteGroup) {
        group.get(
            "devices/learn",
            RouteDescription("learnState", "How far the search for a gun is", answer: .data(.schema("DeviceSearch")))
        ) { _, _ in Envelope.answer(data: message) }
        group.get(
            "devices/learn/code",
            RouteDescription(
                "learnCode", "The code that a gun is found by",
                answer: .file("The code.", ["image/svg+xml": ["type": "string"]]))
        ) { _, _ in
            try SettingCode.Format.svg.response(to: SettingCode(Array(DeviceLearner.standardCode.utf8)))
        }
        group.post(
            "devices/learn",
            RouteDescription(
                "learn", "Waits two minutes for a gun that scans the code of /devices/learn/code",
                parameters: [
                    .query(
                        "port", "A serial port that is listened to besides those of USB.",
                        ["type": "string", "maxLength": .integer(200)])
                ], answer: .data(.schema("DeviceSearch")), failures: [.badRequest])
        ) { request, _ in
            search.start(
                except: Set(devices.states.filter { $0.status == .connected }.compactMap(\.identity?.path)),
                ports: try Self.ports(request.query))
            return Envelope.answer(data: message)
        }
        group.delete(
            "devices/learn", RouteDescription("endLearning", "Ends the search", answer: .data(.schema("DeviceSearch")))
        ) { _, _ in
            search.stop()
            return Envelope.answer(data: message)
        }
    }

    private var message: SearchMessage {
        let code = DeviceLearner.standardCode
        return switch search.state {
        case .idle: SearchMessage(state: "idle", code: code, configuration: OrNull(nil))
        case .waiting(let problems):
            SearchMessage(state: "waiting", code: code, problems: problems, configuration: OrNull(nil))
        case .found(let finding):
            SearchMessage(
                state: "found", code: code,
                configuration: OrNull(finding.configuration(of: "gun").joined(separator: "\n")))
        case .expired(let problems):
            SearchMessage(state: "expired", code: code, problems: problems, configuration: OrNull(nil))
        }
    }

    private func code(_ query: RequestQuery) throws -> Response {
        guard let format = SettingCode.Format(rawValue: query["format"] ?? "svg") else {
            let names = SettingCode.Format.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
            throw HTTPFailure.badRequest("bad_format", "`format` must be one of \(names).")
        }
        do {
            guard let setting = try query["name"].flatMap({ try settings.setting($0, maker: query["maker"]) }) else {
                throw HTTPFailure(.notFound, "no_setting", "No such setting is known; /devices/settings lists them.")
            }
            return try format.response(
                to: SettingCode(setting, text: query["text"].flatMap { $0.isEmpty ? nil : $0 }))
        } catch let fault as SettingFault {
            throw HTTPFailure.badRequest("bad_setting", "The setting code cannot be made: \(fault).")
        }
    }

    /// Returns the serial port to listen to besides those of USB; a path outside of `/dev` is rejected.
    private static func ports(_ query: RequestQuery) throws -> [String] {
        guard let port = query["port"], !port.isEmpty else { return [] }
        guard port.hasPrefix("/dev/"), port.utf8.count <= 200,
            !port.split(separator: "/").contains("..")
        else { throw HTTPFailure.badRequest("bad_port", "`port` must be a device file, such as /dev/ttyS0.") }
        return [port]
    }
}

extension SettingCode.Format {
    private var contentType: String {
        switch self {
        case .svg: "image/svg+xml"
        case .png: "image/png"
        case .pdf: "application/pdf"
        }
    }

    fileprivate func response(to code: SettingCode) throws -> Response {
        Response(
            status: .ok, headers: [.contentType: contentType, .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: try code.file(self))))
    }
}
