internal import BarcodeCore
internal import BridgeDialects

/// `bridge.js`, assembled from the common parts and one part per dialect.
///
/// The parts form the body of one function, so that a page only gets the global names of the dialects. Each dialect's
/// part has a block scope of its own, so that names do not collide.
enum BridgeScript {
    /// The parts before the dialects, in order.
    private static let parts = [
        "station", "events", "dialects", "requests", "serving", "answers", "words", "style", "overlay",
    ].map { EmbeddedFile.bytes("bridge-\($0).js") }

    /// Additional data of the script for an app that the station hosts.
    struct AppPart: Sendable, Hashable {
        /// The station's own origin, which differs from that of the script.
        var station: String
        /// The path of the app's sign-in page; `nil` if there is none.
        var signIn: String?
    }

    /// Returns the whole script in UTF-8.
    static func bytes(for dialects: [BridgeDialect], app: AppPart? = nil) -> [UInt8] {
        var script = Array(head.utf8)
        let table: JSON = .object(table(for: dialects, app))
        script += "const table = \(table.text);\n".utf8
        for part in parts { script += Array("\n".utf8) + part }
        for dialect in dialects where !dialect.script.isEmpty { script += "\n{\n\(dialect.script)}\n".utf8 }
        script += Array("\n".utf8) + EmbeddedFile.bytes("bridge-start.js")
        if app?.signIn != nil { script += Array("\n".utf8) + EmbeddedFile.bytes("bridge-app.js") }
        script += "})();\n".utf8
        return script
    }

    private static let head = """
        // Quietzone's bridge: lets an ordinary web page ask the scanning station for a code, in the dialect that it speaks.
        //
        //     <script src="http://127.0.0.1:6079/bridge.js"></script>
        //
        // What it gives to a page is described in bridge.d.ts and docs/reference/bridge.md. A code's content is data: it reaches the page
        // as the argument of a function, and is never made part of a script or of HTML.
        (function () {
        'use strict';

        if (window.quietzone && window.quietzone.scan) return;
        const script = document.currentScript;
        if (!script || !script.src) return;

        // What the station knows of its dialects, formats and times (seconds).

        """

    /// The display names of the symbologies.
    private static let titles: JSON = {
        var titles: [String: JSON] = [:]
        for symbology in Symbology.all { titles[symbology.rawValue] = .string(symbology.traits.title) }
        return .object(titles)
    }()

    /// The script's constants, from the tables of the station.
    private static func table(for dialects: [BridgeDialect], _ app: AppPart?) -> [String: JSON] {
        var table: [String: JSON] = [
            "dialects": .array(dialects.map { .string($0.name) }),
            "functions": .array(Set(dialects.flatMap(\.functions)).sorted().map(JSON.string)),
            "titles": titles,
            "formats": .array(Symbology.webNames.sorted().map(JSON.string)),
            "pictures": .string(Asset.acceptedPictures),
            "errors": .array(ScanFailure.all.map { .string($0.code) }),
            "defaultTimeout": .integer(BridgeRequest.defaultTimeout.components.seconds),
            "maximumTimeout": .integer(BridgeRequest.maximumTimeout.components.seconds),
        ]
        if let app { table["station"] = .string(app.station) }
        if let signIn = app?.signIn { table["signIn"] = .string(signIn) }
        return table
    }
}
