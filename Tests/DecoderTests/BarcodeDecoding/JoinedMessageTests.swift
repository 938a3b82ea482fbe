import BarcodeDecoding
import Testing

/// Messages that are spread over several symbols.
struct JoinedMessageTests {
    private func part(
        _ text: String, _ index: Int, of count: Int?, parity: UInt8? = 7, identifier: String? = nil,
        charset: Charset = Charset(name: "us-ascii", source: .validity), symbology: Symbology = .qrCode
    ) -> Symbol {
        symbol(
            Array(text.utf8), text, charset, symbology,
            StructuredAppend(index: index, count: count, parity: parity, identifier: identifier))
    }

    private func symbol(
        _ bytes: [UInt8], _ text: String, _ charset: Charset, _ symbology: Symbology = .qrCode,
        _ position: StructuredAppend? = nil
    ) -> Symbol {
        let corner = Point(x: 0, y: 0)
        return Symbol(
            symbology: symbology, symbologyIdentifier: "]Q1", bytes: bytes, text: text, charset: charset,
            corners: Quadrilateral(topLeft: corner, topRight: corner, bottomRight: corner, bottomLeft: corner),
            structuredAppend: position)
    }

    @Test("Parts in any order, repeated, and mixed with those of another message, are joined")
    func order() {
        let symbols = [
            part("c", 2, of: 3), part("x", 0, of: 2, parity: 9), part("a", 0, of: 3), part("b", 1, of: 3),
            part("a", 0, of: 3), part("y", 1, of: 2, parity: 9), symbol([0x61], "a", Charset(name: "", source: .eci)),
        ]
        let joined = JoinedMessage.join(symbols)
        #expect(joined.map(\.text) == ["abc", "xy"])
        #expect(joined.map(\.bytes) == [Array("abc".utf8), Array("xy".utf8)])
        #expect(joined.map(\.parity) == [7, 9] && joined.map(\.isComplete) == [true, true])
    }

    @Test("A part with a stated character set keeps it beside one of digits")
    func charsetBesideDigits() {
        let greek = symbol(
            [0xE1, 0xE2], "αβ", Charset(name: "iso-8859-7", source: .eci), .qrCode,
            StructuredAppend(index: 0, count: 2, parity: 7))
        #expect(JoinedMessage.join([greek, part("12", 1, of: 2)]).map(\.text) == ["αβ12"])
    }

    @Test("What is missing or in conflict is named, and no message is given")
    func problems() throws {
        let missing = try #require(JoinedMessage.join([part("b", 1, of: 4)]).first)
        #expect(missing.missing == [0, 2, 3] && missing.conflicts.isEmpty && !missing.isComplete)
        #expect(missing.bytes == nil && missing.text == nil)
        let conflict = try #require(
            JoinedMessage.join([part("a", 0, of: 2), part("b", 1, of: 2), part("B", 1, of: 2)]).first)
        #expect(conflict.missing.isEmpty && conflict.conflicts == [1] && conflict.text == nil)
    }

    @Test("In PDF417 any symbol may state the number of symbols, and without it nothing is complete")
    func pdf417() throws {
        func macro(_ text: String, _ index: Int, of count: Int? = nil) -> Symbol {
            part(text, index, of: count, parity: nil, identifier: "017", symbology: .pdf417)
        }
        let open = try #require(JoinedMessage.join([macro("a", 0), macro("b", 1)]).first)
        #expect(open.missing.isEmpty && open.count == nil && !open.isComplete && open.text == nil)
        let closed = JoinedMessage.join([macro("a", 0), macro("b", 1), macro("c", 2, of: 3)])
        #expect(closed.map(\.text) == ["abc"] && closed.first?.identifier == "017")
    }

    @Test("A hostile symbol that states a number beyond any symbology takes no memory for it")
    func hostileNumbers() {
        #expect(JoinedMessage.join([part("a", 0, of: .max, symbology: .pdf417)]).isEmpty)
        #expect(JoinedMessage.join([part("a", .max, of: 2), part("a", -1, of: 2)]).isEmpty)
    }

    @Test("A character that begins in one symbol and ends in the next is read")
    func splitCharacter() throws {
        let bytes = Array("Größe".utf8)
        let guess = Charset(name: "windows-1252", source: .evidence)
        let halves = [Array(bytes[..<3]), Array(bytes[3...])]
        let symbols = halves.enumerated().map { index, half in
            symbol(half, "?", guess, .qrCode, StructuredAppend(index: index, count: 2, parity: 1))
        }
        #expect(JoinedMessage.join(symbols).map(\.text) == ["Größe"])
    }

    @Test("A character that two symbols share is read if another symbol states UTF-8")
    func splitCharacterOfStatedText() {
        let guess = Charset(name: "windows-1252", source: .evidence)
        let parts: [([UInt8], Charset)] = [
            ([0x47, 0x72, 0xC3], guess), ([0xB6, 0xC3, 0x9F, 0x65, 0x20], guess),
            ([0x61, 0x62, 0x63], Charset(name: "utf-8", source: .eci)),
        ]
        let symbols = parts.enumerated().map { index, part in
            symbol(part.0, "?", part.1, .qrCode, StructuredAppend(index: index, count: 3, parity: 1))
        }
        let joined = JoinedMessage.join(symbols)
        #expect(joined.map(\.text) == ["Größe abc"] && joined.map(\.charset?.name) == ["utf-8"])
    }

    @Test("Text whose character set the symbols state is not decoded again")
    func statedCharset() {
        let stated = Charset(name: "iso-8859-5", source: .eci)
        let symbols = [part("Я", 0, of: 2, charset: stated), part("б", 1, of: 2, charset: stated)]
        #expect(JoinedMessage.join(symbols).map(\.text) == ["Яб"])
    }
}
