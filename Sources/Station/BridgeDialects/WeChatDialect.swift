internal import BarcodeCore

extension BridgeDialect {
    /// `wx.scanCode({...})` and `wx.scanQRCode({...})`.
    public static let wechat = BridgeDialect(
        name: "wechat", file: "wechat.js", parse: WeChatDialect.parse)
}

/// The dialect of WeChat: `wx.scanCode` of its mini programs and `wx.scanQRCode` of its JS-SDK.
///
/// The page's runtime names the function in `api`; without it, `needResult` indicates `scanQRCode`. `scanType`
/// contains `barCode`, `qrCode`, `datamatrix` or `pdf417`. The argument of `success` and the texts of `errMsg` follow
/// WeChat's documentation. `scanQRCode` always gets `resultStr`, because there is no WeChat app to handle the result.
enum WeChatDialect {
    /// The called function.
    enum Call: String, Sendable, Hashable {
        case scanCode, scanQRCode
    }

    static func parse(_ message: BridgeMessage) throws(BridgeError) -> ParsedRequest {
        switch message.json {
        case .null, .object: break
        default: throw BridgeError(.unknownMessage, "wx.scanCode needs an object.")
        }
        let call: Call
        if let name = try message.text("api") {
            guard let known = Call(rawValue: name) else {
                throw BridgeError(.unknownMessage, "Unknown function; wx supports scanCode and scanQRCode.")
            }
            call = known
        } else {
            call = message["needResult"] == nil ? .scanCode : .scanQRCode
        }
        return ParsedRequest(
            source: try message.source(),
            symbologies: try RequestedSymbologies(message.names("scanType"), meaning: symbologies),
            timeout: try message.timeout(), reply: WeChatReply(call: call))
    }

    private static func symbologies(_ scanType: String) -> Set<Symbology> {
        switch scanType {
        case "barCode": Symbology.standard.filter { $0.isLinear && $0 != .pdf417 && $0 != .microPDF417 }
        case "qrCode": [.qrCode]
        case "datamatrix": [.dataMatrix]
        case "pdf417": [.pdf417]
        default: []
        }
    }
}

/// Calls `success` or `fail` in the page's runtime.
struct WeChatReply: BridgeReply {
    var call: WeChatDialect.Call

    /// Returns the argument of `success`, or the `errMsg` for `fail` or `cancel` as the error's message.
    func object(for outcome: BridgeOutcome) -> JSON {
        switch outcome {
        case .symbols(let symbols):
            guard let symbol = symbols.first else {
                return failure(code: "nothing_found", sentence: BridgeOutcome.nothingFound)
            }
            return ["value": value(symbol)]
        case .failed(let code, let sentence): return failure(code: code, sentence: sentence)
        case .cancelled:
            let message = call == .scanCode ? "scanCode:fail cancel" : "scanQRCode:cancel"
            return ["error": ["code": "cancelled", "message": .string(message)]]
        }
    }

    private func failure(code: String, sentence: String) -> JSON {
        ["error": ["code": .string(code), "message": .string("\(call.rawValue):fail \(sentence)")]]
    }

    private func value(_ symbol: BridgeSymbol) -> JSON {
        let message = JSON.string("\(call.rawValue):ok")
        switch call {
        case .scanCode:
            return [
                "result": .string(symbol.text), "scanType": .string(symbol.symbology.traits.weChatName),
                "charSet": .string((symbol.charset ?? "utf-8").uppercased()), "rawData": .string(symbol.base64),
                "errMsg": message,
            ]
        case .scanQRCode:
            let text = symbol.symbology.isLinear ? "\(symbol.symbology.traits.weChatName),\(symbol.text)" : symbol.text
            return ["resultStr": .string(text), "errMsg": message]
        }
    }
}
