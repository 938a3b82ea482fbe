import BridgeDialects
import FoundationEssentials
import ImageCodecs
import NIOCore
import TestSupport
import Testing

@testable import StationServer

/// `bridge.js`, assembled from the station's dialects and a custom one.
@Suite(.timeLimit(.minutes(10))) struct BridgeScriptTests {
    private static let toy = BridgeDialect(
        name: "toy", functions: ["Toy.heard"],
        script: """
            // In a block of its own, so that this is no second "picture".
            function picture() { return { please: 'scan' }; }

            dialect('toy', {
                install() { window.askToy = () => { ask('toy', picture()); }; },
            });

            """,
        parse: { message throws(BridgeError) in try ParsedRequest(message, reply: ToyReply()) })

    private struct ToyReply: BridgeReply {}

    @Test func everyPartStandsInItOnce() {
        let script = String(decoding: BridgeScript.bytes(for: BridgeDialect.all + [Self.toy]), as: UTF8.self)
        for dialect in BridgeDialect.all + [Self.toy] {
            #expect(script.split(separator: dialect.script, omittingEmptySubsequences: false).count == 2, "\(dialect)")
        }
        #expect(script.hasPrefix("// Quietzone's bridge") && script.hasSuffix("})();\n"))
    }

    /// Some systems do not count HEIC, AVIF and others as `image/*`.
    @Test func pagesOfferEveryPictureFormat() {
        let list = "image/*" + ImageFormat.fileExtensions.map { ",." + $0 }.joined()
        let script = String(decoding: BridgeScript.bytes(for: BridgeDialect.all), as: UTF8.self)
        #expect(script.contains("\"pictures\":\"\(list)\"") || script.contains("\"pictures\": \"\(list)\""))
        let formats = Asset.pageFiles.first { $0.path == "app-formats.js" }
        #expect(formats.map { String(buffer: $0.content).contains("accepted = \"\(list)\"") } == true)
    }

    /// Pages learn of all errors from the table: the guide and the types say no more and no less.
    @Test func theErrorsAreThoseOfTheDocumentation() throws {
        let guide = try String(
            contentsOfFile: ProgramRunner.packageFolder + "docs/reference/bridge.md", encoding: .utf8)
        let section = try #require(guide.split(separator: "## Errors\n").last?.split(separator: "\n## ").first)
        let rows = section.split(separator: "\n").filter { $0.hasPrefix("| `") }.map(String.init)
        #expect(rows == ScanFailure.all.map { "| `\($0.code)` | \($0.meaning) |" })
        let types = EmbeddedFile.text("bridge.d.ts").split(separator: "type ScanErrorCode =").last ?? ""
        let union = (types.split(separator: ";").first ?? "").split(separator: "|").map {
            $0.filter { $0.isLetter || $0 == "_" }
        }
        #expect(union == ScanFailure.all.map(\.code))
    }

    /// The result in a page, run by Node.js; `dialects` is the attribute of the page's script.
    @Test(
        .enabled(if: Node.isThere),
        arguments: [
            (
                nil,
                "quietzone.scan webkit.messageHandlers.scanCode wx.scanCode wx.scanQRCode BarcodeDetector "
                    + "webkit.messageHandlers.heraldAppBridge webkit.messageHandlers.RecordAppJsBridgeIsSet askToy keydown"
            ),
            ("toy", "quietzone.scan askToy"), ("wechat, gun", "quietzone.scan wx.scanCode wx.scanQRCode keydown"),
            ("unknown", "quietzone.scan"),
        ] as [(String?, String)])
    func aPageGetsTheDialectsThatItWants(_ dialects: String?, _ expected: String) throws {
        let page =
            Self.page(dialects: dialects)
                + """
                const paths = ['quietzone.scan', 'webkit.messageHandlers.scanCode', 'wx.scanCode', 'wx.scanQRCode',
                    'BarcodeDetector', 'webkit.messageHandlers.heraldAppBridge',
                    'webkit.messageHandlers.RecordAppJsBridgeIsSet', 'askToy'];
                const found = paths.filter((path) => path.split('.').reduce((one, name) => one && one[name], window));
                if (listened.has('keydown')) found.push('keydown');
                console.log(found.join(' '));
                // Nothing else has become global.
                for (const name of ['ask', 'dialect', 'picture', 'station', 'table', 'overlay']) {
                    if (name in window) console.log('global', name);
                }
                """
        #expect(try Node.run(page).text == expected + "\n")
    }

    @Test(.enabled(if: Node.isThere)) func aDialectFromOutsideAsksTheStation() throws {
        let page =
            Self.page(dialects: "toy")
                + """
                window.fetch = async (url, options) => {
                    if (url === 'http://127.0.0.1:6079/bridge/session') {
                        const data = { session: 's', expiresAt: '2999-01-01T00:00:00Z' };
                        return { json: async () => ({ isSuccess: true, data }) };
                    }
                    if (options.method === 'POST') {
                        console.log(url, JSON.stringify(JSON.parse(options.body).message));
                        process.exit(0);
                    }
                    return new Promise(() => {});
                };
                askToy();
                """
        let result = try Node.run(page)
        #expect(result.text == "http://127.0.0.1:6079/bridge/toy {\"please\":\"scan\"}\n", "\(result.messages)")
    }

    @Test func theStationServesADialectFromOutside() async throws {
        try await ServerTests.serving({ $0.dialects.append(Self.toy) }) { port, _ in
            let get = ServerTests.head("GET /bridge.js", port, "Connection: close\r\n")
            let script = try await ServerTests.exchange(port, [get])
            #expect(script.hasPrefix("HTTP/1.1 200 ") && script.contains("dialect('toy', {"))
            for header in [
                "Content-Type: text/javascript; charset=utf-8", "Cache-Control: no-cache",
                "Cross-Origin-Resource-Policy: cross-origin",
            ] {
                #expect(script.contains("\r\n\(header)\r\n"), "\(header)")
            }
            let description = try await ServerTests.exchange(
                port, [ServerTests.head("GET /openapi.json", port, "Connection: close\r\n")])
            let names = BridgeDialect.all.filter(\.takesRequests).map(\.name) + ["toy"]
            #expect(description.contains("[" + names.map { "\"\($0)\"" }.joined(separator: ",") + "]"))
            for (name, status) in [("toy", "202"), ("gun", "404"), ("none", "404")] {
                let body = #"{"request":"request-1","message":{"source":"album"}}"#
                let more = "Content-Length: \(body.utf8.count)\r\nConnection: close\r\n"
                let answer = try await ServerTests.exchange(
                    port, [ServerTests.head("POST /bridge/\(name)", port, more) + body])
                #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(name): \(answer)")
            }
        }
    }

    /// Returns a page with the browser features that `bridge.js` needs while it loads.
    private static func page(dialects: String?) -> String {
        let attribute = dialects.map { JSON.string($0).text } ?? "undefined"
        let script = String(decoding: BridgeScript.bytes(for: BridgeDialect.all + [toy]), as: UTF8.self)
        return """
            globalThis.window = globalThis;
            const listened = new Set();
            window.addEventListener = (name) => listened.add(name);
            window.origin = 'http://oa.example';
            window.document = { currentScript: {
                src: 'http://127.0.0.1:6079/bridge.js', dataset: { dialects: \(attribute) } } };
            \(script)

            """
    }
}
