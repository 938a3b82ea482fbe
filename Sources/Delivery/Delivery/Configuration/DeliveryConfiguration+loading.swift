internal import ScanEvents
internal import ScanOutbox
internal import SymbolContent

extension DeliveryConfiguration {
    /// Loads a configuration.
    ///
    /// The command line overrides the environment, which overrides the file.
    ///
    /// - Parameters:
    ///   - path: the YAML file; `nil` for none.
    ///   - schema: the allowed keys.
    ///   - overrides: values from the command line, by their dotted keys.
    ///   - environment: the variables of the process.
    ///   - defaultDatabase: the path of the outbox if the configuration names none.
    ///   - readsDestinations: `false` for a program that delivers nothing and needs no secrets or files of
    ///     destinations.
    ///   - own: reads the program's own keys.
    /// - Throws: ``ConfigurationError`` with all problems, one a line.
    public static func load<Own>(
        path: String?, schema: ConfigurationSchema, overrides: [String: String] = [:], environment: [String: String],
        defaultDatabase: String, readsDestinations: Bool = true, own: (inout ConfigurationValues) -> Own
    ) async throws(ConfigurationError) -> (DeliveryConfiguration, Own) {
        let file = try path.map { path throws(ConfigurationError) in try ConfigurationFile(path: path, schema: schema) }
        var values = ConfigurationValues(file: file, schema: schema, environment: environment, overrides: overrides)
        var configuration = DeliveryConfiguration(
            database: values.path("database") ?? defaultDatabase, isStandardDatabase: !values.isSet("database"),
            station: values.station(),
            retention: Retention(
                age: .seconds(Int64((values.number("keep.days", 0.001...36_500) ?? 30) * 86_400)),
                count: values.whole("keep.events", 0...1_000_000_000) ?? 100_000,
                personalAge: values.flag("keep.personal") ? nil : .zero),
            deduplication: deduplication(&values),
            signingKeys: signingKeys(&values),
            routes: readsDestinations
                ? values.names(of: "destinations").compactMap { route($0, &values, schema.kinds) } : [])
        if configuration.station.hasControlCharacters { values.report("station", "contains a control character") }
        let ownValue = own(&values)
        if !values.problems.isEmpty {
            // Include the problems that a check would find next.
            values.reportMissingPaths()
            if !configuration.isStandardDatabase {
                do throws(OutboxError) {
                    try Outbox.checkPath(configuration.database)
                } catch {
                    values.report("database", error.description)
                }
            }
            throw values.problems.error
        }
        configuration.configuredPaths = values.configuredPaths
        configuration.secretVariables = values.secretVariables
        configuration.secretFiles = values.secretFiles
        return (configuration, ownValue)
    }

    private static func signingKeys(_ values: inout ConfigurationValues) -> SigningKeys? {
        guard let folder = values.path("content.keys") else { return nil }
        do throws(SigningKeys.FolderError) {
            return try SigningKeys(folder: Array(folder.utf8))
        } catch {
            values.report("content.keys", error.description)
            return nil
        }
    }

    private static func deduplication(_ values: inout ConfigurationValues) -> DeduplicationPolicy {
        let seconds = values.number("deduplication.seconds", 0.001...86_400)
        let policy = values.value("deduplication.policy", "none, window or until-gone") { text in
            DeduplicationPolicy(name: text, seconds: seconds ?? 5)
        }
        return policy ?? .none
    }

    private static func route(
        _ name: String, _ all: inout ConfigurationValues, _ kinds: [DestinationKind]
    ) -> Route? {
        var values = DestinationValues(section: "destinations.\(name)", of: all)
        defer { all = values.values }
        var destination = destination(name, &values)
        guard let word = values.text("type") else {
            values.report("type", "is missing; it is \(kinds.names)")
            return nil
        }
        guard let kind = kinds.first(where: { $0.name == word }) else {
            values.report("type", "\"\(word)\" is not \(kinds.names)")
            return nil
        }
        for (key, owner) in kinds.meaningless(for: kind) where values.isSet(key) {
            values.report(key, "does not apply to the type \(kind.name); it belongs to \(owner)")
        }
        if destination.form.isForm, !kind.keys.contains(where: { $0.name == "fields" }) {
            values.report("form", "\"\(values.text("form") ?? "")\" does not apply to the type \(kind.name)")
        }
        destination.concurrency = min(destination.concurrency, kind.maximumConcurrency)
        return kind.read(&values).map { [destination] in Route(destination: destination, kind: kind, makeSink: $0) }
    }

    private static func destination(_ name: String, _ values: inout DestinationValues) -> Destination {
        var destination = Destination(name: name)
        destination.form = form(&values)
        destination.includesContent = values.flag("content")
        destination.concurrency = values.whole("concurrency", 1...256) ?? destination.concurrency
        if let seconds = values.number("timeoutSeconds", 0.1...600) {
            destination.timeout = .milliseconds(Int64(seconds * 1000))
        }
        let delays = values.list("retryAfterSeconds")
        if !delays.isEmpty {
            let seconds = delays.compactMap { Double($0) }.filter { $0 >= 0 && $0 <= 31_536_000 }
            if seconds.count != delays.count {
                values.report("retryAfterSeconds", "is a list of seconds, 0 to 31536000")
            }
            destination.schedule = RetrySchedule(delays: seconds.map { .milliseconds(Int64($0 * 1000)) })
        }
        destination.filter = filter(&values)
        return destination
    }

    private static func form(_ values: inout DestinationValues) -> PayloadFormat {
        let forms: [String: PayloadFormat] = [
            "standard": .standard, "cloudevents": .cloudEvents, "event": .event, "envelope": .envelope,
        ]
        let name = values.text("form")
        let isTemplate = name == "template" || name == nil && values.isSet("template")
        if isTemplate {
            guard let template = values.text("template") else {
                values.report(
                    "template", "is missing: the form \"template\" needs a template of the JSON to send")
                return .standard
            }
            if template.hasPrefix("/") || template.hasPrefix("./") || template.hasSuffix(".json") {
                values.report("template", "is the name of a file; put the JSON itself here")
                return .standard
            }
            do throws(SyntaxError) {
                return .template(try BodyTemplate(template))
            } catch {
                values.report("template", error.description)
                return .standard
            }
        }
        guard let name else {
            if values.isSet("fields") { values.report("fields", "is for the forms form and multipart; set form") }
            return .standard
        }
        if values.isSet("template") { values.report("template", "is not used by the form \"\(name)\"") }
        if ["form", "multipart"].contains(name) { return fields(&values, isMultipart: name == "multipart") }
        guard let form = forms[name] else {
            values.report(
                "form", "\"\(name)\" is not standard, cloudevents, event, envelope, template, form or multipart")
            return .standard
        }
        if values.isSet("fields") { values.report("fields", "is not used by the form \"\(name)\"") }
        return form
    }

    private static func fields(_ values: inout DestinationValues, isMultipart: Bool) -> PayloadFormat {
        let texts = values.list("fields")
        if texts.isEmpty {
            values.report("fields", "is missing: the form needs a list, such as barcode={{symbol.text}}")
        }
        do throws(SyntaxError) {
            let fields = try FieldsTemplate(texts)
            return isMultipart ? .multipart(fields) : .form(fields)
        } catch {
            values.report("fields", error.description)
            return .standard
        }
    }

    private static func filter(_ values: inout DestinationValues) -> EventFilter {
        var filter = values.filter()
        for source in values.list("sources") {
            if ScanSource.Kind.all.contains(ScanSource.Kind(rawValue: source)) {
                filter.sources.insert(ScanSource.Kind(rawValue: source))
            } else {
                values.report("sources", "\"\(source)\" is not \(ScanSource.Kind.names)")
            }
        }
        return filter
    }
}
