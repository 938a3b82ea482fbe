@testable import ScanDevices

/// A gun in keyboard mode: produces the keys for a text.
struct SimulatedGun {
    /// The keys and modifiers for each character, by name of the layout.
    private static let strokes: [String: [Unicode.Scalar: [Stroke]]] = Dictionary(
        uniqueKeysWithValues: KeyboardLayout.all.map { ($0.name, strokes(of: $0)) })

    private struct Stroke {
        var key: UInt16
        var modifiers: [UInt16]
    }

    let layout: String
    /// The time between two events, as with real guns.
    var step: Duration = .milliseconds(1)
    private(set) var time: Duration = .seconds(100)
    private(set) var events: [KeyEvent] = []

    init(layout: String) {
        self.layout = layout
    }

    /// The characters that this layout can type.
    var alphabet: [Unicode.Scalar] { Self.strokes[layout, default: [:]].keys.sorted() }

    mutating func press(_ key: UInt16, holding modifiers: [UInt16] = []) {
        for modifier in modifiers { add(modifier, .pressed) }
        add(key, .pressed)
        add(key, .released)
        for modifier in modifiers.reversed() { add(modifier, .released) }
    }

    /// Types a text, followed by Enter.
    mutating func type(_ text: String, end: UInt16? = KeyCode.enter) {
        for scalar in text.unicodeScalars {
            if scalar == "\u{1D}" {
                press(27, holding: [KeyCode.leftControl])
                continue
            }
            for stroke in Self.strokes[layout, default: [:]][scalar] ?? [] {
                press(stroke.key, holding: stroke.modifiers)
            }
        }
        if let end { press(end) }
    }

    mutating func wait(_ duration: Duration) { time += duration }

    private mutating func add(_ key: UInt16, _ action: KeyEvent.Action) {
        time += step
        events.append(KeyEvent(key: key, action: action, time: time))
    }

    private static func strokes(of layout: KeyboardLayout) -> [Unicode.Scalar: [Stroke]] {
        var direct: [Unicode.Scalar: [Stroke]] = [:]
        var marks: [(Unicode.Scalar, Stroke)] = []
        for key in UInt16(2)...124 {
            for (isShifted, isAltGr) in [(false, false), (true, false), (false, true), (true, true)] {
                let modifiers = (isShifted ? [KeyCode.leftShift] : []) + (isAltGr ? [KeyCode.rightAlt] : [])
                let stroke = Stroke(key: key, modifiers: modifiers)
                switch layout.output(of: key, isShifted: isShifted, isAltGr: isAltGr, isCapital: false) {
                case .character(let scalar): if direct[scalar] == nil { direct[scalar] = [stroke] }
                case .mark(let mark): marks.append((mark, stroke))
                case nil: break
                }
            }
        }
        var all = direct
        for (mark, stroke) in marks {
            for (letter, keys) in direct where keys.count == 1 {
                guard let composed = KeyboardLayout.compose(mark, letter), all[composed] == nil else { continue }
                all[composed] = [stroke] + keys
            }
        }
        return all
    }
}

extension FramedScan {
    /// The text of a message; `nil` for discarded data.
    var text: String? {
        if case .scan(let scan) = self { String(decoding: scan.bytes, as: UTF8.self) } else { nil }
    }
}

extension KeyScanDecoder {
    /// Handles events as a device sends them, including the time between them.
    mutating func run(_ events: [KeyEvent]) -> [FramedScan] {
        var scans: [FramedScan] = []
        for event in events {
            if let deadline, deadline <= event.time, let scan = advance(to: deadline) { scans.append(scan) }
            if let scan = handle(event) { scans.append(scan) }
        }
        return scans
    }
}
