internal import BarcodeCore
internal import CQuietzone
internal import DecodeReports
internal import DecodeWorkers
internal import Glibc
internal import SymbolContent
internal import Synchronization

/// The options of a caller, its running calls and its workers.
final class Context: Sendable {
    struct Settings {
        var options = DecodeOptions()
        var limits = Limits()
        var page = PageRequest()
        var hasContent = false
        var signingKeys: SigningKeys?
        var workers = Workers.Settings()

        fileprivate var contentYear: Int? { hasContent ? Self.currentYear : nil }

        private static var currentYear: Int {
            var now = time(nil)
            var parts = tm()
            gmtime_r(&now, &parts)
            return Int(parts.tm_year) + 1900
        }
    }

    let settings = Mutex(Settings())
    /// The number of times that the running calls were cancelled.
    private let cancellations = Atomic(0)
    private let workers = Mutex<Workers?>(nil)

    deinit {
        workers.withLock { $0 }?.cancel()
    }

    /// The process that decodes a picture.
    enum Process { case thisProcess, worker }

    /// Returns the report on a picture.
    func report(on picture: Picture, _ settings: Settings, in process: Process) -> DecodeReport {
        var report =
            switch process {
            case .thisProcess: report(on: picture, settings)
            case .worker where !Workers.areAvailable:
                DecodeReport(
                    source: picture.name,
                    error: DecodeError(
                        .noWorker,
                        "was not decoded: this process was forked by one that had used workers; call fork() before "
                            + "workers are used, or execute a program in the fork"))
            case .worker where !Workers.haveDescriptors:
                DecodeReport(
                    source: picture.name,
                    error: DecodeError(
                        .noWorker,
                        "was not decoded: no worker could be started, because too many files are open; see `ulimit -n`"
                    ))
            case .worker: runningWorkers(settings.workers).report(on: picture.request(settings))
            }
        report.contentYear = settings.contentYear
        report.signingKeys = settings.signingKeys
        return report
    }

    private func report(on picture: Picture, _ settings: Settings) -> DecodeReport {
        let before = cancellations.load(ordering: .acquiring)
        return PictureDecoder(limits: settings.limits).report(
            on: picture.source, name: picture.name, options: settings.options, page: settings.page,
            isCancelled: { self.cancellations.load(ordering: .relaxed) != before })
    }

    private func runningWorkers(_ settings: Workers.Settings) -> Workers {
        workers.withLock { workers in
            let running = workers ?? Workers(settings)
            workers = running
            return running
        }
    }

    /// Cancels the running calls; the next one in a worker starts new workers.
    func cancel() {
        cancellations.add(1, ordering: .releasing)
        workers.withLock { workers in
            let running = workers
            workers = nil
            return running
        }?.cancel()
    }
}

extension Context {
    /// Sets an option.
    func set(_ option: quietzone_option, to value: Int64) -> quietzone_status {
        guard let value = Int(exactly: value) else { return QUIETZONE_INVALID_OPTION }
        return settings.withLock { $0.set(option, to: value) } ? QUIETZONE_OK : QUIETZONE_INVALID_OPTION
    }

    /// Sets the symbologies from a list of names; `nil` for the default.
    func setFormats(_ names: String?) -> quietzone_status {
        let symbologies = names.map { Set($0.split(separator: ",").map { Symbology(rawValue: String($0)) }) }
        guard symbologies.map({ !$0.isEmpty && $0.isSubset(of: Symbology.all) }) ?? true else {
            return QUIETZONE_UNKNOWN_FORMAT
        }
        settings.withLock { $0.options.symbologies = symbologies ?? Symbology.standard }
        return QUIETZONE_OK
    }

    /// Adds a public key to check signatures with.
    func addSigningKey(_ bytes: [UInt8], named name: String) -> quietzone_status {
        settings.withLock { settings in
            var keys = settings.signingKeys ?? SigningKeys()
            guard keys.add(bytes, named: name) else { return QUIETZONE_INVALID_KEY }
            settings.signingKeys = keys
            return QUIETZONE_OK
        }
    }
}

extension Context.Settings {
    private static let longestMilliseconds = 1 << 40

    /// Sets an option; false if it is unknown or the value is outside its range.
    fileprivate mutating func set(_ option: quietzone_option, to value: Int) -> Bool {
        func isIn(_ range: ClosedRange<Int>) -> Bool { range.contains(value) }
        switch option {
        case QUIETZONE_EFFORT:
            let efforts = [DecodeOptions.Effort.fast, .normal, .thorough]
            guard efforts.indices.contains(value) else { return false }
            options.effort = efforts[value]
        case QUIETZONE_TIME_BUDGET where isIn(0...Self.longestMilliseconds):
            options.timeBudget = value == 0 ? nil : .milliseconds(value)
        case QUIETZONE_MAXIMUM_COUNT where isIn(0...Int.max):
            options.maximumCount = value == 0 ? nil : value
        case QUIETZONE_MAXIMUM_PIXELS where isIn(1...Int.max): limits.maximumPixels = value
        case QUIETZONE_MAXIMUM_SIDE where isIn(1...Int.max): limits.maximumSide = value
        case QUIETZONE_MAXIMUM_FILE_BYTES where isIn(1...Int.max): limits.maximumFileBytes = value
        case QUIETZONE_PAGE where isIn(PageRequest.numbers): page.number = value
        case QUIETZONE_RESOLUTION where value == 0 || PageRequest.resolutions.contains(Double(value)):
            page.resolution = value == 0 ? nil : Double(value)
        case QUIETZONE_CONTENT where isIn(0...1): hasContent = value == 1
        case QUIETZONE_WORKERS where isIn(1...1024): workers.count = value
        case QUIETZONE_WORKER_TIMEOUT where isIn(1...Self.longestMilliseconds): workers.timeout = .milliseconds(value)
        case QUIETZONE_WORKER_MEGABYTES where isIn(64...1 << 20): workers.megabytes = value
        default: return false
        }
        return true
    }
}
