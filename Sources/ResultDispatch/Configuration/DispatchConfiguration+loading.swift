internal import BarcodeCore
internal import Configuration
internal import FoundationEssentials
internal import SystemPackage

extension DispatchConfiguration {
    /// Reads a configuration: the command line goes before the environment, and that before the file.
    ///
    /// - Parameters:
    ///   - path: the YAML file; nil for none.
    ///   - schema: the keys that there may be.
    ///   - overrides: values from the command line, by their dotted keys.
    ///   - environment: the variables of the process.
    ///   - defaultDatabase: the path of the outbox where nothing names one.
    ///   - own: reads the keys that are the program's own.
    /// - Throws: ``ConfigurationError`` with everything that is wrong, a line each.
    public static func load<Own>(
        path: String?, schema: ConfigurationSchema, overrides: [String: String] = [:], environment: [String: String],
        defaultDatabase: String, own: (inout ConfigurationValues) -> Own
    ) async throws(ConfigurationError) -> (DispatchConfiguration, Own) {
        var file: ConfigurationFile?
        var provider: (any ConfigProvider)?
        if let path {
            guard let data = FileManager.default.contents(atPath: path),
                let text = String(validating: data, as: UTF8.self)
            else { throw ConfigurationError("the configuration \(path) cannot be read, or is no UTF-8") }
            let checked = ConfigurationFile(path: path, text: text, schema: schema)
            // What swift-configuration would say of a file with a fault, it says without the line.
            if checked.problems.isEmpty && !checked.lines.isEmpty {
                do {
                    provider = try await FileProvider<YAMLSnapshot>(filePath: FilePath(path))
                } catch {
                    throw ConfigurationError("the configuration \(path) cannot be read: \(error)")
                }
            }
            file = checked
        }
        var values = ConfigurationValues(
            file: file, provider: provider, schema: schema, environment: environment, overrides: overrides)
        // Without the values of the file everything in it would seem to be missing.
        if file?.problems.isEmpty == false { throw ConfigurationError(values.problems.joined(separator: "\n")) }
        let configuration = DispatchConfiguration(
            database: values.text("database") ?? defaultDatabase,
            station: values.text("station") ?? "default",
            retention: Retention(
                age: .seconds(Int64((values.number("keep.days", 0.001...36_500) ?? 30) * 86_400)),
                count: Int(values.number("keep.events", 0...1_000_000_000) ?? 100_000)),
            deduplication: deduplication(&values),
            routes: values.names(of: "destinations").compactMap { route($0, &values, environment) })
        let ownValue = own(&values)
        if !values.problems.isEmpty { throw ConfigurationError(values.problems.joined(separator: "\n")) }
        return (configuration, ownValue)
    }

    private static func deduplication(_ values: inout ConfigurationValues) -> DeduplicationPolicy {
        let seconds = values.number("deduplication.seconds", 0.001...86_400)
        let policy = values.value("deduplication.policy", "none, window or until-gone") { text in
            DeduplicationPolicy(name: text, seconds: seconds ?? 5)
        }
        return policy ?? .none
    }

    private static func route(
        _ name: String, _ values: inout ConfigurationValues, _ environment: [String: String]
    ) -> Route? {
        let key = { (last: String) in "destinations.\(name).\(last)" }
        let destination = destination(name, &values, key)
        guard let type = values.text(key("type")) else {
            values.report(key("type"), "is missing; it is http, stdout or command")
            return nil
        }
        switch type {
        case "http":
            return receiver(&values, key, environment).map { Route(destination: destination, way: .http($0)) }
        case "stdout": return Route(destination: destination, way: .standardOutput)
        case "command":
            let command = values.list(key("command"))
            if command.isEmpty { values.report(key("command"), "is missing: the program and its arguments, a list") }
            return Route(destination: destination, way: .command(command))
        default:
            values.report(key("type"), "\"\(type)\" is not http, stdout or command")
            return nil
        }
    }

    private static func destination(
        _ name: String, _ values: inout ConfigurationValues, _ key: (String) -> String
    ) -> Destination {
        var destination = Destination(name: name)
        let template = values.text(key("template"))
        if let template, values.text(key("form")) ?? "template" == "template" {
            do throws(ConfigurationError) {
                destination.form = .template(try BodyTemplate(template))
            } catch {
                values.report(key("template"), error.description)
            }
        } else if let form = values.text(key("form")) {
            let forms: [String: BodyForm] = [
                "standard": .standard, "cloudevents": .cloudEvents, "event": .event, "envelope": .envelope,
            ]
            if let known = forms[form] {
                destination.form = known
                if template != nil { values.report(key("template"), "is not used by the form \"\(form)\"") }
            } else {
                values.report(key("form"), "\"\(form)\" is not standard, cloudevents, event, envelope or template")
            }
        }
        destination.concurrency = Int(values.number(key("concurrency"), 1...256) ?? 8)
        if let seconds = values.number(key("timeoutSeconds"), 0.1...600) {
            destination.timeout = .milliseconds(Int64(seconds * 1000))
        }
        let delays = values.list(key("retryAfterSeconds"))
        if !delays.isEmpty {
            let seconds = delays.compactMap { Double($0) }.filter { $0 >= 0 && $0 <= 31_536_000 }
            if seconds.count != delays.count {
                values.report(key("retryAfterSeconds"), "is a list of seconds, 0 to 31536000")
            }
            destination.schedule = RetrySchedule(delays: seconds.map { .milliseconds(Int64($0 * 1000)) })
        }
        destination.filter = filter(&values, key)
        return destination
    }

    private static func filter(_ values: inout ConfigurationValues, _ key: (String) -> String) -> EventFilter {
        var filter = EventFilter()
        for format in values.list(key("formats")) {
            if Symbology.all.contains(Symbology(rawValue: format)) {
                filter.formats.insert(Symbology(rawValue: format))
            } else {
                values.report(key("formats"), "\"\(format)\" is no symbology that is read")
            }
        }
        for source in values.list(key("sources")) {
            if ScanSource.Kind.all.contains(ScanSource.Kind(rawValue: source)) {
                filter.sources.insert(ScanSource.Kind(rawValue: source))
            } else {
                values.report(key("sources"), "\"\(source)\" is not file, folder, camera, upload or device")
            }
        }
        if let pattern = values.text(key("textMatches")) {
            do throws(ConfigurationError) {
                filter.pattern = try TextPattern(pattern)
            } catch {
                values.report(key("textMatches"), error.description)
            }
        }
        return filter
    }
}

extension DeduplicationPolicy {
    /// The policy of a name: `none`, `window` or `until-gone`; nil for another name.
    public init?(name: String, seconds: Double) {
        switch name {
        case "none": self = .none
        case "window": self = .window(.milliseconds(Int64(seconds * 1000)))
        case "until-gone": self = .untilGone
        default: return nil
        }
    }
}
