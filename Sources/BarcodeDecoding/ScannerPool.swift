internal import BarcodeCore
internal import Synchronization
internal import ZBarReader

/// zbar scanners that wait for the next picture.
///
/// Making one costs about as much as scanning a small picture. The pool grows to the number of pictures that are
/// decoded at the same time.
final class ScannerPool: Sendable {
    /// A scanner and how often it was used.
    // Unchecked: the pool hands a scanner to one caller, who has it alone until it comes back.
    final class Scanner: @unchecked Sendable {
        var reader: ZBarReader
        fileprivate var pictures = 0

        init() throws(DecodeError) {
            reader = try ZBarReader()
        }
    }

    /// After so many pictures a scanner is thrown away: zbar's QR reader keeps state that may grow.
    private static let picturesPerScanner = 1000

    private let idle = Mutex<[Scanner]>([])

    func take() throws(DecodeError) -> Scanner {
        if let scanner = idle.withLock({ $0.popLast() }) { return scanner }
        return try Scanner()
    }

    func giveBack(_ scanner: Scanner) {
        scanner.pictures += 1
        guard scanner.pictures < Self.picturesPerScanner else { return }
        idle.withLock { $0.append(scanner) }
    }
}
