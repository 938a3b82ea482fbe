import BarcodeCore
import DecodeReports
import FoundationEssentials

/// XML in the format of zbarimg (zbar.sourceforge.net/2008/barcode), for existing parsers.
///
/// Like zbarimg, it encodes a message that is not text, or that XML cannot represent, as base64, and omits
/// unreadable images, which are reported on standard error.
struct XMLFormatter: ReportFormatter {
    /// Indicates whether to escape what a terminal would obey: control characters beyond ASCII and bidirectional
    /// marks.
    let isForTerminal: Bool

    mutating func header() -> [UInt8] {
        Array(
            "<?xml version='1.0' encoding='UTF-8'?>\n<barcodes xmlns='http://zbar.sourceforge.net/2008/barcode'>\n".utf8
        )
    }

    mutating func footer() -> [UInt8] {
        Array("</barcodes>\n".utf8)
    }

    mutating func format(_ report: DecodeReport) -> [UInt8] {
        guard report.error == nil else { return [] }
        var xml = "<source href='\(report.source.xmlEscaped)'>\n<index num='\((report.page ?? 1) - 1)'>\n"
        for symbol in report.symbols {
            xml += "<symbol type='\(symbol.symbology.traits.zbarName)' quality='\(symbol.weight)'"
            if let orientation = symbol.orientation {
                let names = ["UP", "RIGHT", "DOWN", "LEFT"]
                xml += " orientation='\(names[Int((orientation / 90).rounded()) % 4])'"
            }
            let points = symbol.corners.points.map { "\(Self.signed($0.x)),\(Self.signed($0.y))" }
            xml += "><polygon points='\(points.joined(separator: " "))'/>"
            let isText = symbol.charset.name != "binary"
            xml += Self.data(isText ? symbol.text : nil, symbol.bytes) + "</symbol>\n"
            if let addOn = symbol.addOn {
                let kind = addOn.count == 2 ? "EAN-2" : "EAN-5"
                xml += "<symbol type='\(kind)' quality='\(symbol.weight)'><data><![CDATA[\(addOn)]]></data></symbol>\n"
            }
            if let composite = symbol.composite {
                xml += "<symbol type='COMPOSITE' quality='\(symbol.weight)'>"
                xml += Self.data(composite.text, composite.bytes) + "</symbol>\n"
            }
        }
        xml += "</index>\n</source>\n"
        return Array((isForTerminal ? xml.printableLines : xml).utf8)
    }

    /// A message; the text is `nil` if the message is not text.
    private static func data(_ text: String?, _ bytes: [UInt8]) -> String {
        if let text, text.unicodeScalars.allSatisfy(\.isAllowedInXML) {
            // A CDATA section cannot contain its end mark, so the text continues in another section. By scalars, because
            // the mark and a combining mark behind it are other characters.
            let sections = text.unicodeScalars.replacing(
                "]]>".unicodeScalars, with: "]]]]><![CDATA[>".unicodeScalars)
            return "<data><![CDATA[\(String(sections))]]></data>"
        }
        let base64 = Data(bytes).base64EncodedString(options: [.lineLength76Characters, .endLineWithLineFeed])
        return "<data format='base64' length='\(base64.utf8.count)'><![CDATA[\n\(base64)\n]]></data>"
    }

    /// A coordinate in zbarimg's format: an integer with its sign.
    private static func signed(_ value: Double) -> String {
        value < 0 ? "-\(Int(-value))" : "+\(Int(value))"
    }
}

extension Unicode.Scalar {
    /// Indicates whether XML 1.0 (2.2, Char) allows the character.
    fileprivate var isAllowedInXML: Bool {
        switch value {
        case 0x09, 0x0A, 0x0D, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }
}

extension String {
    /// The text escaped for an attribute value in single quotes.
    fileprivate var xmlEscaped: String {
        var escaped = ""
        for scalar in markupEscaped.unicodeScalars {
            switch scalar {
            case "\n", "\r", "\t": escaped += "&#\(scalar.value);"
            default: escaped.unicodeScalars.append(scalar.isAllowedInXML ? scalar : "\u{FFFD}")
            }
        }
        return escaped
    }
}
