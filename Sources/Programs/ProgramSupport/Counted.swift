extension Int {
    /// The number with a noun: "1 picture", "3 pictures", "2 entries".
    ///
    /// - Parameter plural: the form for numbers other than 1; `nil` for the noun with an s.
    public func counted(_ noun: String, _ plural: String? = nil) -> String {
        "\(self) \(self == 1 ? noun : plural ?? noun + "s")"
    }
}
