/// Which keys type a character in a layout: the table of ``KeyboardLayout`` the other way around.
package struct KeyTable: Sendable {
    /// A key that is pressed with what is held down meanwhile.
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

    /// The marks that desktops, by the tables of X and of GTK, type alone before a space as the character that is meant:
    /// an acute accent, for one, becomes an apostrophe.
    private static let marksBeforeSpace: Set<Unicode.Scalar> = ["\u{300}", "\u{302}", "\u{303}"]

    private let strokes: [Unicode.Scalar: [Stroke]]

    /// The table of a layout.
    ///
    /// - Parameter isCapital: whether Caps Lock is on.
    package init(_ layout: KeyboardLayout, isCapital: Bool = false) {
        var strokes: [Unicode.Scalar: [Stroke]] = [:]
        var marks: [Unicode.Scalar: Stroke] = [:]
        // With as little held down as possible.
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

    /// The characters that it has keys for, in order.
    package var characters: [Unicode.Scalar] { strokes.keys.sorted() }

    /// The strokes that type a character; nil where the layout has no keys for it.
    package subscript(_ character: Unicode.Scalar) -> [Stroke]? { strokes[character] }
}

extension KeyboardLayout {
    /// The key code of the kernel of a function key, by its name in lower case, such as `f8`.
    package static func functionKey(_ name: String) -> UInt16? { KeyCode.functionKeys[name] }
}
