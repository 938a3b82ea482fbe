public import BarcodeCore
internal import BarcodeDecoding
public import DecodeReports
internal import ImageCodecs

/// Makes the report on one image in this process: loads it, decodes it, and times both.
public struct PictureDecoder: Sendable {
    private let decoder: BarcodeDecoder
    private let loader: ImageLoader
    private let searchTime: Duration?

    /// Creates a decoder.
    ///
    /// - Parameters:
    ///   - limits: the size limits of images.
    ///   - timeout: the time after which the caller gives up on an image. The search ends earlier, by a tenth of
    ///     that time or by one second, whichever is more, but by at most half, so that the symbols found so far are
    ///     reported.
    public init(limits: Limits = Limits(), timeout: Duration? = nil) {
        decoder = BarcodeDecoder(limits: limits)
        loader = ImageLoader(limits: limits)
        searchTime = timeout.map { $0 - max($0 / 10, min(.seconds(1), $0 / 2)) }
    }

    /// The source of an image.
    public enum Source: Sendable {
        /// A file, by its path.
        case file(PictureName)
        /// A file that another process has opened for this one, and its path for messages.
        case openFile(Int32, PictureName)
        /// A stream that is open for reading, such as standard input, read to its end.
        case descriptor(Int32)
        /// Bytes in memory.
        case bytes([UInt8])
        /// Pixels in memory.
        case image(LumaImage)
    }

    /// Loads and decodes an image, or a page of a document.
    ///
    /// - Parameters:
    ///   - source: the source of the bytes.
    ///   - name: the name of the image in the report.
    ///   - options: the symbologies to look for, and the effort.
    ///   - page: the page of a document, and its rendering resolution.
    ///   - gray: the layout of raw pixels; `nil` if the bytes are in an image format, and for an image.
    ///   - inspect: receives the loaded image and its symbols, if the image could be read; an error that it throws
    ///     becomes a warning in the report.
    ///   - isCancelled: called often during the search; once it returns true, the report has the error `cancelled`.
    /// - Returns: the report; it has an error if the image could not be read.
    public func report(
        on source: Source, name: PictureName, options: DecodeOptions, page: PageRequest = PageRequest(),
        gray: GrayLayout? = nil,
        inspect: ((LumaImage, [Symbol]) throws(DecodeError) -> Void)? = nil,
        isCancelled: (@Sendable () -> Bool)? = nil
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
            report.loadMilliseconds = (ContinuousClock.now - start) / .milliseconds(1)
            var view: SearchedView
            do throws(DecodeError) {
                view = try self.searchView(at: file, gray, loader, options, until: latestEnd, isCancelled, report)
            } catch {
                // A problem with one page must not prevent requests for the others.
                report.pages = loader.pages(of: file)
                if report.pages != nil { report.page = page.number }
                switch source {
                case .file(let path), .openFile(_, let path): throw error.about(path.display)
                default: throw error
                }
            }
            report = view.report
            let hasTime = {
                let spent = ContinuousClock.now - start
                return options.timeBudget.map { spent < $0 } ?? true && searchTime.map { spent < $0 } ?? true
            }
            while view.report.symbols.isEmpty, view.hasFurtherView, hasTime() {
                loader.view += 1
                // The first view was read, so a failure of another one is not an error.
                guard
                    let further = try? self.searchView(
                        at: file, gray, loader, options, until: latestEnd, isCancelled, report)
                else { break }
                report.loadMilliseconds = further.report.loadMilliseconds
                report.decodeMilliseconds = further.report.decodeMilliseconds
                if !further.report.symbols.isEmpty { report = further.report }
                view = further
            }
            // A cancelled search of a further view is the only error of it that counts.
            if isCancelled?() ?? false { throw .cancelled }
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

    /// Returns a report with the number of pages of a document only.
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
        case .openFile(let file, let path): try loader.open(passed: file, path: path.bytes, isPicture: isPicture)
        case .descriptor(let descriptor): try loader.open(fileDescriptor: descriptor)
        case .bytes(let bytes): try loader.open(bytes: bytes)
        case .image(let image): loader.open(image)
        }
    }

    /// The result of one view of an image.
    private struct SearchedView {
        var image: LumaImage
        var report: DecodeReport
        /// Indicates whether there is another view to try if this one has no symbols.
        var hasFurtherView: Bool
    }

    /// Loads and searches a view, and adds the results to a report.
    private func searchView(
        at file: PictureFile, _ gray: GrayLayout?, _ loader: ImageLoader, _ options: DecodeOptions,
        until latestEnd: ContinuousClock.Instant?, _ isCancelled: (@Sendable () -> Bool)?, _ report: DecodeReport
    ) throws(DecodeError) -> SearchedView {
        var report = report
        let start = ContinuousClock.now
        let picture = if let gray { try loader.load(file, as: gray) } else { try loader.load(file) }
        let loaded = ContinuousClock.now
        report.loadMilliseconds += (loaded - start) / .milliseconds(1)
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
        let search = try decoder.search(picture.image, options: options, isCancelled: isCancelled)
        report.symbols = search.symbols
        report.unread = search.unread
        report.decodeMilliseconds += (ContinuousClock.now - loaded) / .milliseconds(1)
        report.searchEnd = search.end
        if search.end == .timeBudget {
            report.warnings.append(
                DecodeError(
                    .searchCutShort,
                    "was not searched completely, because the time budget ran out; allow more time, or use less "
                        + "effort"))
        }
        return SearchedView(image: picture.image, report: report, hasFurtherView: picture.hasFurtherView)
    }
}
