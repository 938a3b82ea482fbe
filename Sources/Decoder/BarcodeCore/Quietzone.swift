/// The project as a whole.
public enum Quietzone {
    /// The version of this source, by semantic versioning.
    public static let version = "0.1.0"
}
