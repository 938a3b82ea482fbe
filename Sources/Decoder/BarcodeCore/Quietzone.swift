/// Information about the project as a whole.
public enum Quietzone {
    /// The version of this source (semantic versioning).
    public static let version = "0.2.0"
}
