import ArgumentParser
import BarcodeCore
import FoundationEssentials
import ProgramSupport
import ScanEvents
import ScanOutbox

/// A time on the command line: RFC 3339, a date, or an age.
struct TimeArgument: ExpressibleByArgument {
    var date: Date

    init?(argument: String) {
        let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        if let unit = argument.last.flatMap({ units[$0] }), let number = Double(argument.dropLast()), number >= 0 {
            date = Date(timeIntervalSinceNow: -number * unit)
            return
        }
        let text = argument.count == 10 ? argument + "T00:00:00Z" : argument
        guard let date = Date(rfc3339: text) else { return nil }
        self.date = date
    }
}

/// An event identifier on the command line.
struct IDArgument: ExpressibleByArgument {
    var id: EventID

    init?(argument: String) {
        guard let id = EventID(argument) else { return nil }
        self.id = id
    }
}

/// A delivery state on the command line.
struct StateArgument: ExpressibleByArgument {
    static let allValueStrings = DeliveryState.allCases.map(\.description)

    var state: DeliveryState

    init?(argument: String) {
        guard let state = DeliveryState(name: argument) else { return nil }
        self.state = state
    }
}

/// The options for a time range.
struct RangeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Only events read at or after this time: 2026-11-21, RFC 3339, or 90m, 2h, 7d ago.", valueName: "time"))
    var since: TimeArgument?

    @Option(help: ArgumentHelp("Only events read before this time.", valueName: "time"))
    var until: TimeArgument?
}

/// The options of an event query.
struct QueryOptions: ParsableArguments {
    @OptionGroup var range: RangeOptions

    @Option(help: "The whole text.")
    var text: String?

    @Option(help: ArgumentHelp("The beginning of the text.", valueName: "text"))
    var prefix: String?

    @Option(help: "The symbology, such as qr_code.")
    var format: String?

    @Option(help: "The state at any destination.")
    var state: StateArgument?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Maximum number of events. (default: 100)", valueName: "number"),
        transform: NumberArgument.whole(1...10_000_000))
    var limit = 100

    func validate() throws {
        if text != nil && prefix != nil { throw ValidationError("--text and --prefix: give only one of them") }
        if let format, !Symbology.all.contains(Symbology(rawValue: format)) {
            let known = Symbology.all.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("--format \(format): there is no such symbology; the symbologies are \(known)")
        }
    }

    var query: HistoryQuery {
        HistoryQuery(
            since: range.since?.date, until: range.until?.date,
            text: text.map(HistoryQuery.Text.exactly) ?? prefix.map(HistoryQuery.Text.beginning),
            symbology: format.map(Symbology.init), state: state?.state, limit: limit)
    }
}
