import SymbolContent

enum ParsingMessages {
    static func any(_ text: String) {
        let message = ContentMessage(
            text: text, bytes: Array(text.utf8), isGS1: false, symbology: "qr_code", currentYear: 2026)
        if let content = SymbolContent.parse(message) {
            print(content.kind.rawValue)
            for field in content.fields where !field.isPersonal {
                print(field.label ?? field.name, field.meaning ?? field.value)
            }
        }
    }

    static func elements(_ bytes: [UInt8]) {
        do {
            let message = try GS1Message.parse(bytes)
            print(message["01"] ?? "no GTIN", message["10"] ?? "no batch")
            print(message.bracketed, try message.link())
        } catch {
            print(error)
        }
    }

    static func link() throws -> String {
        let message = try GS1Message.parse(bracketed: "(01)09501101530003(17)281130(10)ABC123")
        try message.checkPairs()
        let link = try message.link(stem: "https://example.org")
        return link
    }
}
