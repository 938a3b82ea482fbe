/// A way in which web pages ask for a scan and are answered.
public enum BridgeDialect: String, Sendable, Hashable, CaseIterable, Codable {
    /// `webkit.messageHandlers.scanCode.postMessage(...)`, answered by `receiveScanResult(text)`.
    case hospital
    /// `await quietzone.scan({source, formats, timeout})`.
    case promise
    /// `wx.scanCode({...})` and `wx.scanQRCode({...})`.
    case wechat
    /// `webkit.messageHandlers.heraldAppBridge.postMessage({name, ...})`.
    case herald
    /// `prompt(JSON)` with `{action, args, callback}`, answered by `AppJsBridgeRequest.Call(...)`.
    case recordapp
}

/// What became of a request.
public enum BridgeOutcome: Sendable, Hashable {
    /// These symbols were read; the first of them is the answer where a dialect has room for one.
    case symbols([BridgeSymbol])
    /// It failed.
    ///
    /// - `code`: for programs, such as `timed_out`, `no_camera`, `not_saved`.
    /// - `sentence`: for people.
    case failed(code: String, sentence: String)
    /// Somebody gave it up, the person or the page.
    case cancelled
}
