import SymbolContent

func contentOfAMessage() throws {
    let message = try GS1Message.parse(bracketed: "(01)09501101530003(17)281130(10)ABC123")
    print(message["10"] ?? "no batch", try message.link())
    try message.checkPairs()
}
