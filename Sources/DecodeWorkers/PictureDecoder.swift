public import BarcodeCore
public import BarcodeDecoding
public import DecodeReports
internal import ImageCodecs

/// Makes the report of one picture, in this process: loads it, reads it, times both.
public struct PictureDecoder: Sendable {
    private let decoder: BarcodeDecoder
    private let loader: ImageLoader

    /// A decoder whose pictures stay within `limits`.
    public init(limits: Limits = Limits()) {
        decoder = BarcodeDecoder(limits: limits)
        loader = ImageLoader(limits: limits)
    }

    /// Where a picture comes from.
    public enum Source: Sendable {
        /// A file, by its path.
        case file(PictureName)
        /// A stream that is open for reading, such as standard input, read to its end.
        case descriptor(Int32)
    }

    /// Loads and reads a picture.
    ///
    /// - Parameters:
    ///   - source: where the bytes come from.
    ///   - name: what the report calls the picture.
    ///   - options: what to look for.
    ///   - inspect: is handed the loaded picture and its symbols, where the picture could be read; what it throws is a
    ///     warning in the report.
    /// - Returns: the report; a picture that could not be read is one with an error.
    public func report(
        on source: Source, name: PictureName, options: DecodeOptions,
        inspect: ((LumaImage, [Symbol]) throws(DecodeError) -> Void)? = nil
    ) -> DecodeReport {
        var report = DecodeReport(source: name)
        let clock = ContinuousClock()
        let start = clock.now
        var loaded = start
        do throws(DecodeError) {
            let picture: LoadedImage =
                switch source {
                case .file(let path): try loader.load(contentsOf: path.bytes)
                case .descriptor(let descriptor): try loader.load(fileDescriptor: descriptor)
                }
            loaded = clock.now
            report.loadMilliseconds = (loaded - start).milliseconds
            report.width = picture.width
            report.height = picture.height
            report.orientation = picture.orientation
            report.isTruncated = picture.isTruncated
            let search = try decoder.search(picture.image, options: options)
            report.symbols = search.symbols
            report.decodeMilliseconds = (clock.now - loaded).milliseconds
            if search.isCutShort {
                report.warnings.append(
                    DecodeError(
                        .searchCutShort,
                        "was not searched to the end, because the time budget was up; allow more, or less effort"))
            }
            do throws(DecodeError) {
                try inspect?(picture.image, report.symbols)
            } catch {
                report.warnings.append(DecodeError(.notWritten, error.message))
            }
        } catch {
            report.symbols = []
            report.error = error
        }
        return report
    }
}

extension Duration {
    fileprivate var milliseconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) * 1e3 + Double(attoseconds) / 1e15
    }
}
