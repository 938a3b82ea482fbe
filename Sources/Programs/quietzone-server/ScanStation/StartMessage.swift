import CQREncode
import Glibc
import StationServer

/// The message after the station has started to listen: its address and, on a terminal, the link to open.
enum StartMessage {
    static func show(scheme: String, address: String, port: Int, token: AccessToken, tokenFile: String) {
        let host =
            ["0.0.0.0", "::", "*"].contains(address)
            ? "127.0.0.1" : address.contains(":") ? "[\(address)]" : address
        let place = "\(scheme)://\(host):\(port)/"
        ScanStation.say("listening on \(place)")
        // Anything other than a terminal may be a log, which must never contain the token.
        guard isatty(STDERR_FILENO) != 0 else {
            ScanStation.say("the token is in \(tokenFile)")
            return
        }
        // In the fragment, which browsers do not send.
        let link = place + "#token=" + token.text
        ScanStation.say("open \(link)")
        for line in blocks(link) { ScanStation.say("  " + line) }
    }

    /// Draws a text as a QR symbol of block characters, two rows of modules a line; empty if the text is too long.
    ///
    /// The characters are the light modules, because a terminal is dark. The quiet zone is four modules wide.
    static func blocks(_ text: String) -> [String] {
        let rows = modules(text).map(Array.init)
        if rows.isEmpty { return [] }
        let width = rows.count
        func isLight(_ x: Int, _ y: Int) -> Bool {
            guard (0..<width).contains(x), (0..<width).contains(y) else { return y < width + 4 }
            return rows[y][x] == "0"
        }
        return stride(from: -4, to: width + 4, by: 2).map { y in
            (-4..<width + 4).map { x in
                switch (isLight(x, y), isLight(x, y + 1)) {
                case (true, true): "█"
                case (true, false): "▀"
                case (false, true): "▄"
                case (false, false): " "
                }
            }.joined()
        }
    }

    /// The modules of a text as a QR symbol, row by row, with 1 for a dark module; empty if the text is too long.
    static func modules(_ text: String) -> [String] {
        guard let code = QRcode_encodeString(text, 0, QR_ECLEVEL_L, QR_MODE_8, 1) else { return [] }
        defer { QRcode_free(code) }
        let width = Int(code.pointee.width)
        guard let data = code.pointee.data else { return [] }
        return (0..<width).map { y in (0..<width).map { x in data[y * width + x] & 1 == 0 ? "0" : "1" }.joined() }
    }
}
