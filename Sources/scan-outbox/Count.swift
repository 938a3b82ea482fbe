/// A number and its noun: "1 picture", "3 pictures".
///
/// - Parameter plural: the noun of more than one, where it is not formed by an "s".
func count(_ number: Int, _ noun: String, plural: String? = nil) -> String {
    "\(number) \(number == 1 ? noun : plural ?? noun + "s")"
}
