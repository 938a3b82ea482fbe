/// The linkage flag of a linear symbol for a composite component above it.
///
/// GS1 DataBar has a bit for it, which DataBar and DataBar Limited add to the number (ISO/IEC 24724, 5.2.3, 6.2.3
/// and 7.2.5.1). GS1-128 changes its code set before the check character (ISO/IEC 24723, 7.4). EAN and UPC have no
/// flag.
package enum CompositeLinkage: Sendable, Hashable {
    /// No composite component.
    case none
    /// A CC-A or CC-B.
    case micro
    /// A CC-C.
    case full
}
