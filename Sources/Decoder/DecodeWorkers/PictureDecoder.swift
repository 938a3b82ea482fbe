public import BarcodeCore
internal import BarcodeDecoding
public import DecodeReports
internal import ImageCodecs

/// Makes the report of one picture, in this process: loads it, reads it, times both.
public struct PictureDecoder: Sendable {
    private let decoder: BarcodeDecoder
    private let loader: ImageLoader
    private let searchTime: Duration?

    /// Makes a decoder.
    ///
    /// - Parameters:
    ///   - limits: the limits that pictures stay within.
    ///   - timeout: the time after which the caller gives a picture up. The search ends earlier, by a tenth of that time or
    ///     by one second, whichever is more, but by no more than half, so that what it has read is reported.
    public init(limits: Limits = Limits(), timeout: Duration? = nil) {
        decoder = BarcodeDecoder(limits: limits)
        loader = ImageLoader(limits: limits)
        searchTime = timeout.map { $0 - max($0 / 10, min(.seconds(1), $0 / 2)) }
    }

    /// Where a picture comes from.
    public enum Source: Sendable {
        /// A file, by its path.
        case file(PictureName)
        /// A stream that is open for reading, such as standard input, read to its end.
        case descriptor(Int32)
        /// Bytes that are there already.
        case bytes([UInt8])
    }

    /// Loads and reads a picture, or a page of a document.
    ///
    /// - Parameters:
    ///   - source: where the bytes come from.
    ///   - name: what the report calls the picture.
    ///   - options: what to look for.
    ///   - page: which page of a document, and how it is rendered.
    ///   - gray: how the pixels stand in the bytes; nil where these are in a picture format.
    ///   - inspect: is handed the loaded picture and its symbols, where the picture could be read; what it throws is a
    ///     warning in the report.
    /// - Returns: the report; a picture that could not be read is one with an error.
    public func report(
        on source: Source, name: PictureName, options: DecodeOptions, page: PageRequest = PageRequest(),
        gray: GrayLayout? = nil,
        inspect: ((LumaImage, [Symbol]) throws(DecodeError) -> Void)? = nil
    ) -> DecodeReport {
        var report = DecodeReport(source: name)
        if page.number > 1 { report.page = page.number }
        let start = ContinuousClock.now
        let latestEnd = searchTime.map { start.advanced(by: $0) }
        var loader = loader
        loader.page = page.number
        loader.resolution = page.resolution
        do throws(DecodeError) {
            let file = try open(source, isPicture: gray == nil)
            report.loadMilliseconds = (ContinuousClock.now - start).milliseconds
            var view: SearchedView
            do throws(DecodeError) {
                view = try self.searchView(at: file, gray, loader, options, until: latestEnd, report)
            } catch {
                // What is wrong with one page is no reason not to ask for the others.
                report.pages = loader.pages(of: file)
                if report.pages != nil { report.page = page.number }
                if case .file(let path) = source { throw error.about(path.display) }
                throw error
            }
            report = view.report
            let hasTime = {
                let spent = ContinuousClock.now - start
                return options.timeBudget.map { spent < $0 } ?? true && searchTime.map { spent < $0 } ?? true
            }
            while view.report.symbols.isEmpty, view.hasFurtherView, hasTime() {
                loader.view += 1
                // The first view was read: that another cannot be is no error.
                guard let further = try? self.searchView(at: file, gray, loader, options, until: latestEnd, report)
                else { break }
                report.loadMilliseconds = further.report.loadMilliseconds
                report.decodeMilliseconds = further.report.decodeMilliseconds
                if !further.report.symbols.isEmpty { report = further.report }
                view = further
            }
            do throws(DecodeError) {
                try inspect?(view.image, report.symbols)
            } catch {
                report.warnings.append(DecodeError(.notWritten, error.message))
            }
        } catch {
            report.symbols = []
            report.error = error
        }
        return report
    }

    /// A report that tells how many pages a document has, and nothing that stands on them.
    func pages(of source: Source, name: PictureName) -> DecodeReport {
        var report = DecodeReport(source: name)
        do throws(DecodeError) {
            report.pages = loader.pages(of: try open(source, isPicture: true))
        } catch {
            report.error = error
        }
        return report
    }

    private func open(_ source: Source, isPicture: Bool) throws(DecodeError) -> PictureFile {
        switch source {
        case .file(let path): try loader.open(path.bytes, isPicture: isPicture)
        case .descriptor(let descriptor): try loader.open(fileDescriptor: descriptor)
        case .bytes(let bytes): try loader.open(bytes: bytes)
        }
    }

    /// What one view of a picture shows.
    private struct SearchedView {
        var image: LumaImage
        var report: DecodeReport
        /// Whether there is another to look at where this one shows nothing.
        var hasFurtherView: Bool
    }

    /// Decodes and searches a view, and adds to a report what it shows.
    private func searchView(
        at file: PictureFile, _ gray: GrayLayout?, _ loader: ImageLoader, _ options: DecodeOptions,
        until latestEnd: ContinuousClock.Instant?, _ report: DecodeReport
    ) throws(DecodeError) -> SearchedView {
        var report = report
        let start = ContinuousClock.now
        let picture = if let gray { try loader.load(file, as: gray) } else { try loader.load(file) }
        let loaded = ContinuousClock.now
        report.loadMilliseconds += (loaded - start).milliseconds
        report.width = picture.width
        report.height = picture.height
        report.orientation = picture.orientation
        report.isTruncated = picture.isTruncated
        report.resolution = picture.resolution
        if let pages = picture.pages { (report.page, report.pages) = (picture.page, pages) }
        var options = options
        if let latestEnd {
            let left = max(.zero, latestEnd - loaded)
            options.timeBudget = min(options.timeBudget ?? left, left)
        }
        let search = try decoder.search(picture.image, options: options)
        report.symbols = search.symbols
        report.decodeMilliseconds += (ContinuousClock.now - loaded).milliseconds
        report.searchEnd = search.end
        if search.end == .timeBudget {
            report.warnings.append(
                DecodeError(
                    .searchCutShort,
                    "was not searched to the end, because the time budget was up; allow more, or less effort"))
        }
        return SearchedView(image: picture.image, report: report, hasFurtherView: picture.hasFurtherView)
    }
}

extension Duration {
    fileprivate var milliseconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) * 1e3 + Double(attoseconds) / 1e15
    }
}
