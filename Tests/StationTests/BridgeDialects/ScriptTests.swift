import BarcodeCore
import BridgeDialects
import FoundationEssentials
import TestSupport
import Testing

/// The decoded text reaches the page unchanged, and is never executed.
@Suite struct ScriptTests {
    static let hostile = [
        "", "plain", "');alert(1);('", "\");alert(1);(\"", "`${alert(1)}`", "</script><script>alert(1)</script>",
        "<!--", "-->", "]]>", "\\", "\\\"", "\\u0022", "\\x22", "%27", "&quot;", "\n", "\r\n", "\t", "\0", "\u{1B}[2J",
        "\u{2028}", "\u{2029}", "\u{85}", "\u{FEFF}", "\u{7F}", "中文", "谢伟", "\u{1F600}", "\u{10FFFF}", "\u{E000}",
        "e\u{301}", "\u{202E}", "__proto__", "constructor", "{\"a\":1}", "javascript:alert(1)", "//", "/*", "*/",
        "\u{D0}\u{BB}\u{0}\u{FF}", "'; throw 1; '", "\u{FFFE}", "toString", "[object Object]",
    ]

    /// Returns texts of random characters and of pieces of the list above.
    private static func random(_ count: Int, using random: inout some RandomNumberGenerator) -> [String] {
        (0..<count).map { _ in
            var text = ""
            for _ in 0..<Int.random(in: 0...12, using: &random) {
                switch Int.random(in: 0...3, using: &random) {
                case 0: text += hostile.randomElement(using: &random) ?? ""
                case 1: text.unicodeScalars.append(Unicode.Scalar(UInt8.random(in: 0...127, using: &random)))
                default:
                    let value = UInt32.random(in: 0...0x10FFFF, using: &random)
                    if let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) }
                }
            }
            return text
        }
    }

    private static func call(_ text: String) -> PageCall {
        PageCall(
            function: ["app", "heard"],
            arguments: [.string(text), ["key": .string(text), text: .array([.null, .bool(true), .number(-1.5)])]])
    }

    private static func seeded() -> (seed: UInt64, texts: [String]) {
        let seed = UInt64.random(in: 0 ... .max)
        print("texts of seed \(seed)")
        var generator = Generator(state: seed)
        return (seed, hostile + random(400, using: &generator))
    }

    @Test func aScriptIsPlainAndHoldsTheVeryText() throws {
        let (seed, texts) = Self.seeded()
        for text in texts {
            let call = Self.call(text)
            let script = call.script
            let bytes = Array(script.utf8)
            #expect(bytes.allSatisfy { (0x20..<0x7F).contains($0) }, "seed \(seed): \(text.debugDescription)")
            #expect(!script.contains("<") && !script.contains("'") && !script.contains("`"))
            // There are two quotes, and the text between them is JSON: a string that contains JSON.
            let parts = script.split(separator: "\"", omittingEmptySubsequences: false)
            try #require(parts.count == 3)
            #expect(parts[2] == ")")
            let literal = try JSONDecoder().decode(String.self, from: Data("\"\(parts[1])\"".utf8))
            #expect(literal == call.functionArguments["call"])
            let value = try JSON(parsing: Array(literal.utf8))
            #expect(value == call.json)
            guard case .array(let arguments) = value["arguments"], case .string(let found) = arguments.first else {
                Issue.record("seed \(seed): no arguments")
                continue
            }
            // Compared by scalars, because Swift treats different Unicode compositions as equal.
            #expect(found.unicodeScalars.elementsEqual(text.unicodeScalars), "seed \(seed): \(text.debugDescription)")
        }
    }

    @Test func whatStandsAroundTheCallIsAlwaysTheSame() {
        func frame(_ call: PageCall) -> [Substring] {
            let parts = call.script.split(separator: "\"", omittingEmptySubsequences: false)
            return [parts[0], parts[2]]
        }
        let plain = frame(Self.call("plain"))
        for text in Self.hostile { #expect(frame(Self.call(text)) == plain) }
        #expect(!PageCall.functionBody.contains { "\"'`<".contains($0) })
    }

    /// Runs the scripts in Node.js, if it is installed.
    @Test(.enabled(if: Node.isThere)) func anEngineHandsTheVeryTextToTheFunction() throws {
        let (seed, texts) = Self.seeded()
        let page = """
            globalThis.window = globalThis; globalThis.alert = () => { throw new Error('ran'); };
            const heard = [];
            globalThis.app = {heard() { heard.push([this === globalThis.app, ...arguments]); }, no: 7};
            const ask = new Function('call', \(JSON.string(PageCall.functionBody).text));
            const check = (index, script, call, text) => {
                heard.length = 0;
                const found = [(0, eval)(script), ask(call)];
                const same = heard.length === 2 && heard.every(h => h[0] && h[1] === text && h.length === 3
                    && h[2].key === text && Array.isArray(Object.getOwnPropertyDescriptor(h[2], text)?.value));
                if (!same || !found[0] || !found[1]) { console.log('wrong', index); process.exit(1); }
            };
            \(texts.enumerated().map { index, text in
                let call = Self.call(text)
                let arguments = [call.script, call.functionArguments["call"] ?? "", text]
                return "check(\(index), \(arguments.map { JSON.string($0).text }.joined(separator: ", ")));"
            }.joined(separator: "\n"))
            for (const path of [['nowhere'], ['no', 'way'], ['app', 'no'], ['app', 'a', 'b']]) {
                const call = JSON.stringify({function: path, arguments: [1]});
                if (ask(call) !== false) { console.log('called', path); process.exit(1); }
            }
            console.log('heard', \(texts.count));
            """
        #expect(try Node.run(page).text == "heard \(texts.count)\n", "seed \(seed)")
    }

    /// Of the reachable functions, those of the page are called and those of the engine are not.
    @Test(
        .enabled(if: Node.isThere),
        arguments: [
            ("scan", true), ("declared", true), ("app.arrow", true), ("app.method", true), ("Page.taken", true),
            ("Derived.taken", true), ("instance.method", true), ("receiveScanResult", true),
            ("app.bound", false), ("eval", false), ("Function", false), ("app.native", false), ("app.call", false),
            ("app.arrow.call", false), ("app.getter", false), ("app.self.scan", false), ("self2.scan", false),
            ("app.toString", false), ("app.proxy", false), ("inherited", false), ("app.list.push", false),
            ("instance.hasOwnProperty", false), ("console.log", false), ("app.nothing", false),
        ])
    func onlyThePagesOwnFunctionsAreCalled(_ path: String, _ isCalled: Bool) throws {
        let call = PageCall(
            function: path.split(separator: ".").map(String.init), arguments: [.string("javascript:alert(1)")])
        let page = """
            globalThis.window = globalThis;
            let heard = [];
            const hear = text => heard.push(text);
            var scan = window.scan = text => hear(text);
            window.declared = function declared(text) { hear(text); };
            window.Page = class { static taken(text) { hear(text); } method(text) { hear(text); } };
            window.Derived = class extends Page {};
            window.instance = new Derived();
            window.receiveScanResult = scan.bind(null);
            window.self2 = window;
            Object.getPrototypeOf(globalThis).inherited = scan;
            window.app = {
                arrow: scan, method(text) { hear(text); }, bound: scan.bind(null), native: heard.push.bind(heard),
                get getter() { return scan; }, self: window, proxy: new Proxy(scan, {}), list: heard,
            };
            const call = \(JSON.string(call.functionArguments["call"] ?? "").text);
            const first = (0, eval)(\(JSON.string(call.script).text));
            const second = new Function('call', \(JSON.string(PageCall.functionBody).text))(call);
            console.log(first, second, heard.length);
            """
        #expect(try Node.run(page).text == (isCalled ? "true true 2\n" : "false false 0\n"), "\(path)")
    }

    /// A random number generator with a seed (SplitMix64).
    private struct Generator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var value = state
            value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
            value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
            return value ^ (value >> 31)
        }
    }
}
