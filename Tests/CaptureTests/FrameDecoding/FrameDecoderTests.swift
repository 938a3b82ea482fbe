import BarcodeCore
import Synchronization
import Testing

@testable import FrameDecoding

@Suite struct FrameDecoderTests {
    /// A decoder that finds the symbols that a test has placed, and records the searched regions.
    ///
    /// The pixels of a frame encode their own location: pixels of odd rows contain the row, those of even rows the
    /// column.
    final class World: Sendable {
        struct State {
            var symbols: [Symbol] = []
            var searches: [Rectangle] = []
        }

        let state = Mutex(State())
        let frame = LumaImage(width: 250, height: 200) { pixels in
            for y in 0..<200 { for x in 0..<250 { pixels[y * 250 + x] = UInt8(y % 2 == 1 ? y : x) } }
        }

        func show(_ symbols: Symbol...) { state.withLock { $0.symbols = symbols } }

        func searches() -> [Rectangle] {
            state.withLock { state in
                defer { state.searches = [] }
                return state.searches
            }
        }

        /// Returns a decoder that finds the symbols lying in the searched part of the frame.
        func decoder(_ settings: FrameDecoder.Settings) -> FrameDecoder {
            FrameDecoder(settings: settings) { [self] image, _ in
                let place = Self.place(of: image)
                return state.withLock { state in
                    state.searches.append(place)
                    return state.symbols.compactMap { symbol in
                        let box = symbol.corners.boundingBox
                        guard place.contains(Point(x: box.x, y: box.y)),
                            place.contains(Point(x: box.x + box.width, y: box.y + box.height))
                        else { return nil }
                        var moved = symbol
                        moved.corners = symbol.corners.moved(right: -place.x, down: -place.y)
                        return moved
                    }
                }
            }
        }

        /// Returns the location of a part in the frame.
        static func place(of part: LumaImage) -> Rectangle {
            let column = (0..<3).map { Double(part[x: 0, y: $0]) }
            let (x, y) = column[0] == column[2] ? (column[0], column[1] - 1) : (column[1], column[0])
            return Rectangle(x: x, y: y, width: Double(part.width), height: Double(part.height))
        }
    }

    static func symbol(
        _ text: String, symbology: Symbology = .qrCode, x: Double = 100, y: Double = 100, side: Double = 20
    ) -> Symbol {
        let corners = Quadrilateral(
            topLeft: Point(x: x, y: y), topRight: Point(x: x + side, y: y),
            bottomRight: Point(x: x + side, y: y + side), bottomLeft: Point(x: x, y: y + side))
        return Symbol(
            symbology: symbology, symbologyIdentifier: "]Q1", bytes: Array(text.utf8), text: text,
            charset: Charset(name: "us-ascii", source: .symbology), corners: corners)
    }

    static let interval = Duration.milliseconds(33)

    @Test func unreadSymbolsAreInPixelsOfTheFullFrame() throws {
        let unread = UnreadSymbol(
            kind: .linear, corners: Self.symbol("A").corners, moduleSize: 2, reason: .small)
        var decoder = FrameDecoder(settings: .init(), find: { _, _ in ([], [unread]) })
        let found = try #require(try decoder.decode(World().frame, at: .zero, scale: 2).unread.first)
        #expect(found.corners == unread.corners.scaled(by: 2))
        #expect(found.moduleSize == 4 && found.reason == .small)
    }

    @Test func aCodeIsToldOnceWhileItStays() throws {
        let world = World()
        var decoder = world.decoder(.init())
        world.show(Self.symbol("A"))
        var told: [String] = []
        for frame in 0..<200 {
            told += try decoder.decode(world.frame, at: Self.interval * frame).newSymbols.map(\.text)
        }
        #expect(told == ["A"])
    }

    @Test(arguments: [(0.5, ["A"]), (1.0, ["A"]), (1.01, ["A", "A"]), (5, ["A", "A"])] as [(Double, [String])])
    func aCodeThatLeftIsToldOnItsReturn(seconds: Double, expected: [String]) throws {
        let world = World()
        var decoder = world.decoder(.init())
        var told: [String] = []
        world.show(Self.symbol("A"))
        told += try decoder.decode(world.frame, at: .zero).newSymbols.map(\.text)
        world.show()
        told += try decoder.decode(world.frame, at: .milliseconds(1)).newSymbols.map(\.text)
        world.show(Self.symbol("A"))
        told += try decoder.decode(world.frame, at: .seconds(seconds)).newSymbols.map(\.text)
        #expect(told == expected)
    }

    @Test func aStallBetweenFramesIsNoAbsence() throws {
        let world = World()
        var decoder = world.decoder(.init())
        world.show(Self.symbol("A"))
        var told: [String] = []
        for second in [0, 10, 60] {
            told += try decoder.decode(world.frame, at: .seconds(second)).newSymbols.map(\.text)
        }
        #expect(told == ["A"])
    }

    @Test func aWindowTellsAgainWhatStays() throws {
        let world = World()
        var decoder = world.decoder(.init(repeatPolicy: RepeatPolicy(window: .seconds(2))))
        world.show(Self.symbol("A"), Self.symbol("B", x: 30))
        var told: [Double] = []
        for tenth in 0..<60 {
            let reading = try decoder.decode(world.frame, at: .milliseconds(100 * tenth))
            if !reading.newSymbols.isEmpty { told.append(Double(tenth) / 10) }
        }
        #expect(told == [0, 2, 4])
    }

    @Test(arguments: [
        (ConsensusPolicy(), [true, false, true, true], [false, false, true, true]),
        (ConsensusPolicy(), [true, false, false, true, false], [false, false, false, false, false]),
        (ConsensusPolicy(needed: 1, of: 1), [true, false], [true, false]),
        (ConsensusPolicy(needed: 3, of: 5), [true, false, true, false, true], [false, false, false, false, true]),
    ])
    func weakReadingsNeedAgreement(rule: ConsensusPolicy, seen: [Bool], confirmed: [Bool]) {
        var votes = AgreementVotes(rule: rule)
        let result = seen.map { isSeen in
            !votes.confirmed(among: isSeen ? [Self.symbol("12", symbology: .itf)] : []).isEmpty
        }
        #expect(result == confirmed)
    }

    @Test func twoWeakReadingsOfDifferentTextDoNotAgree() {
        var votes = AgreementVotes(rule: ConsensusPolicy())
        #expect(votes.confirmed(among: [Self.symbol("12", symbology: .code39)]).isEmpty)
        #expect(votes.confirmed(among: [Self.symbol("13", symbology: .code39)]).isEmpty)
        #expect(votes.confirmed(among: [Self.symbol("12", symbology: .codabar)]).isEmpty)
    }

    @Test func aStrongReadingNeedsNone() throws {
        let world = World()
        var decoder = world.decoder(.init())
        world.show(Self.symbol("A"), Self.symbol("1", symbology: .itf, x: 30))
        #expect(try decoder.decode(world.frame, at: .zero).newSymbols.map(\.text) == ["A"])
        #expect(try decoder.decode(world.frame, at: Self.interval).newSymbols.map(\.text) == ["1"])
    }

    @Test func theNextFrameIsLookedAtWhereTheCodeWas() throws {
        let world = World()
        var decoder = world.decoder(.init(fullSearchInterval: 4))
        world.show(Self.symbol("A"))
        var kinds: [Bool] = []
        for frame in 0..<9 {
            let reading = try decoder.decode(world.frame, at: Self.interval * frame)
            #expect(reading.symbols == [Self.symbol("A")])
            kinds.append(reading.isFullSearch)
        }
        #expect(kinds == [true, false, false, false, true, false, false, false, true])
        let searches = world.searches()
        #expect(searches[0] == Rectangle(x: 0, y: 0, width: 250, height: 200))
        // A margin of 24 pixels around a symbol of 20 at (100, 100).
        #expect(searches[1] == Rectangle(x: 76, y: 76, width: 68, height: 68))
    }

    @Test func aCodeThatMovedAwayIsFoundInTheSameFrame() throws {
        let world = World()
        var decoder = world.decoder(.init())
        world.show(Self.symbol("A"))
        _ = try decoder.decode(world.frame, at: .zero)
        world.show(Self.symbol("A", y: 10))
        let reading = try decoder.decode(world.frame, at: Self.interval)
        #expect(reading.symbols == [Self.symbol("A", y: 10)])
        #expect(reading.isFullSearch)
        #expect(reading.newSymbols.isEmpty)
    }

    @Test func aNewCodeBesideOneThatStaysIsFoundByTheNextFullSearch() throws {
        let world = World()
        var decoder = world.decoder(.init(fullSearchInterval: 4))
        world.show(Self.symbol("A"))
        _ = try decoder.decode(world.frame, at: .zero)
        world.show(Self.symbol("A"), Self.symbol("B", y: 10))
        var framesUntilNews = 0
        for frame in 1..<10 {
            framesUntilNews = frame
            if try decoder.decode(world.frame, at: Self.interval * frame).newSymbols.map(\.text) == ["B"] { break }
        }
        #expect(framesUntilNews == 4)
    }

    @Test func aReducedFrameIsToldInPixelsOfTheCamera() throws {
        let world = World()
        var decoder = world.decoder(.init())
        world.show(Self.symbol("A"))
        let box = try decoder.decode(world.frame, at: .zero, scale: 2).symbols.first?.corners.boundingBox
        #expect(box == Rectangle(x: 200, y: 200, width: 40, height: 40))
    }

    @Test func onlyTheRegionIsLookedAt() throws {
        let world = World()
        var decoder = world.decoder(.init(region: FrameRegion("0,80,250,60")))
        world.show(Self.symbol("A"), Self.symbol("B", y: 10))
        #expect(try decoder.decode(world.frame, at: .zero).symbols == [Self.symbol("A")])
        #expect(world.searches() == [Rectangle(x: 0, y: 80, width: 250, height: 60)])
    }

    @Test func whatIsLookedForMayChange() throws {
        let world = World()
        var decoder = world.decoder(.init())
        world.show(Self.symbol("A"))
        #expect(try decoder.decode(world.frame, at: .zero).newSymbols.map(\.text) == ["A"])
        decoder.set(symbologies: [.qrCode], region: FrameRegion("0,80,250,60"))
        _ = world.searches()
        let reading = try decoder.decode(world.frame, at: Self.interval)
        // The search covers the whole region, not only the last location; a reported code is not reported again.
        #expect(world.searches() == [Rectangle(x: 0, y: 80, width: 250, height: 60)])
        #expect(reading.symbols == [Self.symbol("A")] && reading.newSymbols.isEmpty && reading.isFullSearch)
    }

    @Test func whatIsBelievedIsSaidAlsoWhenItIsNoNews() throws {
        let world = World()
        var decoder = world.decoder(.init())
        world.show(Self.symbol("A", symbology: .itf))
        let readings = try (0..<3).map { try decoder.decode(world.frame, at: Self.interval * $0) }
        #expect(readings.map(\.symbols.count) == [1, 1, 1])
        #expect(readings.map(\.confirmed.count) == [0, 1, 1])
        #expect(readings.map(\.newSymbols.count) == [0, 1, 0])
    }

    @Test func aRegionOutsideOfTheFrameIsAnError() {
        let world = World()
        var decoder = world.decoder(.init(region: FrameRegion("900,0,10,10")))
        #expect(throws: DecodeError.self) { try decoder.decode(world.frame, at: .zero) }
    }

    @Test(arguments: ["", "1,2,3", "1,2,3,0", "1,2,-3,4", "a,b,c,d", "1%,2,3,4", "1,2,3,4,5", "nan,0,1,1"])
    func noRegion(text: String) {
        #expect(FrameRegion(text) == nil)
    }

    @Test func aRegionMayBeInParts() {
        let region = FrameRegion("25%, 50%, 50%, 80%")
        let ranges = region?.ranges(width: 200, height: 100)
        #expect(ranges?.x == 50..<150)
        #expect(ranges?.y == 50..<100)
    }

    @Test func percentilesAreOfTheLatestValues() {
        var record = LatencyRecord(capacity: 100)
        #expect(record.percentile(0.5) == nil)
        for value in 1...200 { record.add(.milliseconds(value)) }
        #expect(record.percentile(0.5) == .milliseconds(150))
        #expect(record.percentile(0.99) == .milliseconds(199))
        #expect(record.percentile(1) == .milliseconds(200))
    }

    @Test func codesThatAreGoneAreForgotten() {
        var filter = RepeatFilter(rule: RepeatPolicy())
        for number in 0..<10_000 {
            _ = filter.newSymbols(among: [Self.symbol("\(number)")], at: .milliseconds(100 * number))
        }
        #expect(filter.count <= 11)
    }
}
