import CQREncode
import Glibc
import ServiceSupport
import StationServer

/// What the station says once it listens: where, and for whoever sits before the terminal how to get in.
enum Welcome {
    static func show(scheme: String, address: String, port: Int, token: AccessToken, tokenFile: String) {
        let host =
            ["0.0.0.0", "::", "*"].contains(address)
            ? "127.0.0.1" : address.contains(":") ? "[\(address)]" : address
        let place = "\(scheme)://\(host):\(port)/"
        ScanStation.say("listening on \(place)")
        // Whatever is no terminal may be a log, where the token must never stand.
        guard isatty(STDERR_FILENO) != 0 else {
            ScanStation.say("the token is in \(tokenFile)")
            return
        }
        // In the fragment, which a browser sends to nobody.
        let link = place + "#token=" + token.text
        ScanStation.say("open \(link)")
        for line in blocks(link) { ScanStation.say("  " + line) }
    }

    /// A text as a QR symbol of block characters, two rows of modules a line; nothing where it is too long.
    ///
    /// Light modules are the characters: a terminal is dark. Four modules of quiet zone stand around it.
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

    /// A text as a QR symbol, row by row, with 1 for a dark module; nothing where it is too long.
    static func modules(_ text: String) -> [String] {
        guard let code = QRcode_encodeString(text, 0, QR_ECLEVEL_L, QR_MODE_8, 1) else { return [] }
        defer { QRcode_free(code) }
        let width = Int(code.pointee.width)
        guard let data = code.pointee.data else { return [] }
        return (0..<width).map { y in (0..<width).map { x in data[y * width + x] & 1 == 0 ? "0" : "1" }.joined() }
    }
}
