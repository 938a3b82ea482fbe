import Testing

@testable import StationServer

/// The choice of the connection to close if there are too many.
@Suite struct ConnectionTests {
    private static let limits = ConnectionTable.Limits(maximum: 4, maximumOfAddress: 2)

    private static func number(_ admission: ConnectionTable.Admission) throws -> Int {
        guard case .admitted(let number, _) = admission else { throw Refused() }
        return number
    }

    private struct Refused: Error {}

    @Test func whoNeverAskedMakesRoomFirstAndThenWhoWasIdleLongest() throws {
        var table = ConnectionTable(Self.limits)
        var numbers: [Int] = []
        for second in 0..<4 { numbers.append(try Self.number(table.enter(from: nil, now: .seconds(second)))) }
        // The first is active, the second was; the third and fourth have sent no header.
        table.answer(numbers[0])
        table.answer(numbers[1])
        table.rest(numbers[1], now: .seconds(9))
        var closed: [Int?] = []
        for second in 10..<13 {
            guard case .admitted(let number, let closing) = table.enter(from: nil, now: .seconds(second)) else {
                throw Refused()
            }
            table.answer(number)
            closed.append(closing)
        }
        #expect(closed == [numbers[2], numbers[3], numbers[1]])
        // All remaining connections are active.
        #expect(table.enter(from: nil, now: .seconds(20)) == .refused)
        #expect(table.count == 4)
        table.leave(numbers[0])
        #expect(table.count == 3)
        _ = try Self.number(table.enter(from: nil, now: .seconds(21)))
    }

    @Test func anAddressMakesRoomForItself() throws {
        var table = ConnectionTable(Self.limits)
        let own = try Self.number(table.enter(from: nil, now: .zero))
        let first = try Self.number(table.enter(from: "10.0.0.1", now: .seconds(1)))
        let second = try Self.number(table.enter(from: "10.0.0.1", now: .seconds(2)))
        guard case .admitted(let third, first) = table.enter(from: "10.0.0.1", now: .seconds(3)) else {
            Issue.record("the first one of the address was not closed")
            return
        }
        table.answer(second)
        table.answer(third)
        #expect(table.enter(from: "10.0.0.1", now: .seconds(4)) == .refused)
        _ = try Self.number(table.enter(from: "10.0.0.2", now: .seconds(5)))
        table.leave(own)
        table.leave(second)
        _ = try Self.number(table.enter(from: "10.0.0.1", now: .seconds(6)))
        #expect(table.count == 3)
    }
}
