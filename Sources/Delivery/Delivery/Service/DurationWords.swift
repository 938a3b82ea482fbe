extension Duration {
    /// The duration in words, rounded down to a sensible unit: `0.3 s`, `5 s`, `30 min`, `5 h`, `3 days`.
    public var words: String {
        let seconds = self / .seconds(1)
        if seconds < 1 { return "\((max(0, seconds) * 10).rounded() / 10) s" }
        let whole = Int(seconds)
        if whole < 120 { return "\(whole) s" }
        if whole < 7200 { return "\(whole / 60) min" }
        return whole < 172_800 ? "\(whole / 3600) h" : "\(whole / 86_400) days"
    }
}
