import BarcodeCore
import BarcodeDecoding
import FoundationEssentials
import Glibc
import ImageCodecs
import SymbolContent
import TestSupport
import Testing

@testable import ScanEvents

/// Fields are encoded as an element string, drawn as a symbol by zint, and decoded again.
@Suite("GS1 fields through symbols of zint", .timeLimit(.minutes(5)))
struct RoundTripTests {
    /// A symbology for element strings, with its capacity.
    struct Carrier: Sendable, CustomTestStringConvertible {
        /// zint's name for the symbology.
        var name: String
        var symbology: Symbology
        /// The maximum length of the element string, in characters.
        var room: Int
        var testDescription: String { name }
    }

    static let carriers = [
        Carrier(name: "GS1_128", symbology: .code128, room: 46),
        Carrier(name: "DBAR_EXP", symbology: .dataBarExpanded, room: 38),
        Carrier(name: "DATAMATRIX", symbology: .dataMatrix, room: 150),
        Carrier(name: "QRCODE", symbology: .qrCode, room: 200),
    ]

    private static let zint = ProgramRunner(executable: "/usr/bin/zint")
    private static let rounds = 5

    @Test(.enabled(if: access("/usr/bin/zint", X_OK) == 0, "zint is not installed"), arguments: carriers)
    func roundTrip(_ carrier: Carrier) throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("\(carrier.name): seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let folder = try TemporaryFolder()
        for round in 0..<Self.rounds {
            let message = Self.message(room: carrier.room, using: &random)
            let label = "seed \(seed), round \(round): \(message.elements)"
            try message.checkPairs()
            #expect(try GS1Message.parse(message.elementString) == message, "\(label)")
            // Values never contain square brackets, but may contain round ones.
            let text = message.elements.map { "[\($0.identifier)]\($0.value)" }.joined()
            let drawing = try Self.zint.run(
                ["-b", carrier.name, "--gs1", "--quietzones", "--scale", "2", "-o", folder["symbol.png"], "-d", text])
            #expect(drawing.ending == .exit(0), "\(label): \(drawing.messages)")
            let image = try ImageLoader().load(contentsOf: folder["symbol.png"]).image
            let symbols = try BarcodeDecoder().decode(image)
            #expect(symbols.map(\.symbology) == [carrier.symbology], "\(label)")
            let symbol = try #require(symbols.first, "\(label)")
            let event = ScanEvent(
                time: Date(), station: "test", source: ScanSource(kind: .file),
                symbol: ScannedSymbol(symbol, image: PixelSize(width: image.width, height: image.height)))
            let content = try #require(event.parsedContent, "\(label)")
            #expect(content.kind == .gs1)
            #expect(content.fields.map { GS1Element($0.name, $0.value) } == message.elements, "\(label)")
        }
    }

    /// Returns a message of compatible identifiers, as many as fit.
    private static func message(room: Int, using random: inout SeededGenerator) -> GS1Message {
        var message = GS1Message([GS1Element("01", gtin(using: &random))])
        let identifiers = ["10", "11", "15", "17", "21", "22", "240", "241", "3103", "3202", "8008", "91"]
        for identifier in identifiers.shuffled(using: &random) {
            let element = GS1Element(identifier, value(identifier, using: &random))
            let longer = GS1Message(message.elements + [element])
            if longer.elementString.count + 1 <= room { message = longer }
        }
        return message
    }

    private static func value(_ identifier: String, using random: inout SeededGenerator) -> String {
        func digits(_ count: Int) -> String {
            (0..<count).map { _ in String(Int.random(in: 0...9, using: &random)) }.joined()
        }
        func two(_ range: ClosedRange<Int>) -> String {
            let number = Int.random(in: range, using: &random)
            return (number < 10 ? "0" : "") + String(number)
        }
        switch identifier {
        case "11", "15", "17": return two(0...99) + two(1...12) + two(1...28)
        case "8008": return two(0...99) + two(1...12) + two(1...28) + two(0...23) + two(0...59)
        case "3103", "3202": return digits(6)
        default:
            // The 82 characters of the GS1 General Specifications.
            let letters = Array("!\"%&'()*+,-./0123456789:;<=>?ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz")
            let count = Int.random(in: 1...20, using: &random)
            return String((0..<count).map { _ in letters.randomElement(using: &random) ?? "A" })
        }
    }

    /// Returns a GTIN-14 with its check digit (General Specifications 7.9).
    private static func gtin(using random: inout SeededGenerator) -> String {
        let digits = [9, 5] + (0..<11).map { _ in Int.random(in: 0...9, using: &random) }
        let sum = digits.enumerated().reduce(0) { $0 + $1.element * ($1.offset % 2 == 0 ? 3 : 1) }
        return (digits + [(10 - sum % 10) % 10]).map(String.init).joined()
    }
}
