/// Maps characters to keys of a layout; the inverse of ``KeyboardLayout``.
package struct KeyTable: Sendable {
    /// A key press with its modifiers.
    package struct Stroke: Sendable, Hashable {
        package var key: UInt16
        package var isShifted = false
        package var isAltGr = false

        package init(key: UInt16, isShifted: Bool = false, isAltGr: Bool = false) {
            self.key = key
            self.isShifted = isShifted
            self.isAltGr = isAltGr
        }
    }

    /// The dead keys that desktops (X and GTK) turn into the intended character before a space; with other dead
    /// keys they type something else, for example an apostrophe after an acute accent.
    private static let marksBeforeSpace: Set<Unicode.Scalar> = ["\u{300}", "\u{302}", "\u{303}"]

    private let strokes: [Unicode.Scalar: [Stroke]]

    /// Creates the table of a layout.
    ///
    /// - Parameter isCapital: whether Caps Lock is on.
    package init(_ layout: KeyboardLayout, isCapital: Bool = false) {
        var strokes: [Unicode.Scalar: [Stroke]] = [:]
        var marks: [Unicode.Scalar: Stroke] = [:]
        // In the order of the fewest modifiers.
        for (isShifted, isAltGr) in [(false, false), (true, false), (false, true), (true, true)] {
            for key in layout.keys {
                let stroke = Stroke(key: key, isShifted: isShifted, isAltGr: isAltGr)
                switch layout.output(of: key, isShifted: isShifted, isAltGr: isAltGr, isCapital: isCapital) {
                case .character(let character): if strokes[character] == nil { strokes[character] = [stroke] }
                case .mark(let mark): if marks[mark] == nil { marks[mark] = stroke }
                case nil: break
                }
            }
        }
        let alone = strokes
        for (mark, letter, composed) in KeyboardLayout.allCompositions {
            guard strokes[composed] == nil, let first = marks[mark], let second = alone[letter],
                letter != " " || Self.marksBeforeSpace.contains(mark)
            else { continue }
            strokes[composed] = [first] + second
        }
        self.strokes = strokes
    }

    /// The characters that can be typed, in order.
    package var characters: [Unicode.Scalar] { strokes.keys.sorted() }

    /// Returns the strokes that type a character; `nil` if the layout has no keys for it.
    package subscript(_ character: Unicode.Scalar) -> [Stroke]? { strokes[character] }
}

extension KeyboardLayout {
    /// Returns the kernel's key code of a function key for its lowercase name, such as `f8`; `nil` for an unknown
    /// name.
    package static func functionKey(_ name: String) -> UInt16? { KeyCode.functionKeys[name] }
}
