internal import Glibc
internal import Synchronization

/// A temporary shortage of a resource of this process or machine: file descriptors, processes or memory.
///
/// It says nothing about the file or the receiver that was to be served; callers wait and retry.
public struct ResourceShortage: Error, Sendable, Hashable, CustomStringConvertible {
    /// A clause for people, with the remedy.
    public let description: String

    /// Creates the shortage for an error number; `nil` if the number means something else.
    ///
    /// - Parameter startsProcess: whether a process or a thread was to be started, for which EAGAIN means too many
    ///   of them.
    public init?(errno code: Int32, startsProcess: Bool = false) {
        switch code {
        case EMFILE:
            description =
                "this process has too many open files; raise its limit (ulimit -n, or LimitNOFILE= of its service)"
        case ENFILE: description = "the machine has too many open files; raise fs.file-max (sysctl)"
        case ENOMEM, ENOBUFS: description = "the machine has no memory left for it"
        case EAGAIN where startsProcess:
            description =
                "this user has too many processes and threads (ulimit -u, or TasksMax= of its service), or this process "
                + "too little memory for another one (ulimit -v)"
        default: return nil
        }
    }
}

/// The limit on open files of this process.
public enum DescriptorLimit {
    /// The highest useful soft limit: nothing here needs more, and older programs started from here would close
    /// each descriptor below the limit one by one.
    public static let maximumUseful = 65_536

    /// The free descriptors needed to start a process, besides those of other starts: its streams, their other
    /// ends, and room for other threads.
    public static let forProcess = 32
    /// The free descriptors needed for a connection: the socket, and the files for looking up a name server and a
    /// certificate.
    public static let forConnection = 8

    /// Raises the soft limit to the hard one, at most ``maximumUseful``, and returns the new limit.
    @discardableResult
    public static func raise() -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
        let wanted = min(limit.rlim_max, rlim_t(maximumUseful))
        if limit.rlim_cur < wanted {
            let before = limit.rlim_cur
            limit.rlim_cur = wanted
            if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) != 0 { limit.rlim_cur = before }
        }
        return Int(clamping: limit.rlim_cur)
    }

    /// Returns the reason why this many descriptors cannot be opened now; `nil` if they can.
    ///
    /// Free descriptors are counted instead of opened, so that other threads never fail because of the check.
    public static func shortage(of count: Int) -> ResourceShortage? {
        // The machine may lack descriptors too.
        let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
        if descriptor < 0 { return ResourceShortage(errno: errno) }
        close(descriptor)
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
        let end = Int32(min(limit.rlim_cur, rlim_t(1 << 20)))
        // The kernel assigns the lowest free ones first, so the first block is mostly enough.
        return withUnsafeTemporaryAllocation(of: pollfd.self, capacity: 256) { looked in
            var (first, free) = (Int32(0), 0)
            while first < end {
                let number = min(Int32(looked.count), end - first)
                for place in 0..<number { looked[Int(place)] = pollfd(fd: first + place, events: 0, revents: 0) }
                guard poll(looked.baseAddress, nfds_t(number), 0) >= 0 else { return ResourceShortage(errno: errno) }
                free += looked[..<Int(number)].count { $0.revents & Int16(POLLNVAL) != 0 }
                if free >= count { return nil }
                first += number
            }
            return ResourceShortage(errno: EMFILE)
        }
    }
}

/// The limit on threads, which count as processes of the user.
package enum ThreadLimit {
    /// Returns the reason why this many more threads cannot run now; `nil` if they can.
    ///
    /// It starts the threads, which end at once, because the kernel does not report the limit that applies.
    package static func shortage(of count: Int) -> ResourceShortage? {
        let gate = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
        sem_init(gate, 0, 0)
        defer {
            sem_destroy(gate)
            gate.deallocate()
        }
        var threads: [pthread_t] = []
        var code: Int32 = 0
        while threads.count < count, code == 0 {
            var thread = pthread_t()
            code = pthread_create(
                &thread, nil,
                { gate in
                    guard let gate = gate?.assumingMemoryBound(to: sem_t.self) else { return nil }
                    while sem_wait(gate) != 0 && errno == EINTR {}
                    return nil
                }, gate)
            if code == 0 { threads.append(thread) }
        }
        for _ in threads { sem_post(gate) }
        for thread in threads { pthread_join(thread, nil) }
        return code == 0 ? nil : ResourceShortage(errno: code, startsProcess: true)
    }
}

/// The start of a process, from before its streams are opened until it runs.
///
/// The process library traps if descriptors run out halfway, and several starts at once need them for each. For its
/// first process, the library starts threads of its own, and waits forever for one that could not be started.
package final class ProcessStart: Sendable {
    /// The descriptors per start: three streams with their other ends, and two for the result of the start.
    private static let descriptors = 8
    private static let underWay = Atomic(0)
    /// The threads of the process library, the new process, and two that tasks may need.
    private static let threads = 6
    /// Indicates whether a process, and thus the library's threads, was started.
    private static let hasThreads = Atomic(false)

    private let hasEnded = Atomic(false)

    private init() {
        Self.underWay.add(1, ordering: .relaxed)
    }

    deinit { leave() }

    /// Begins a start, which ends with ``end()`` or when the value is released.
    ///
    /// - Throws: ``ResourceShortage`` if descriptors or threads are short.
    package static func begin() throws(ResourceShortage) -> ProcessStart {
        let start = ProcessStart()
        let others = underWay.load(ordering: .relaxed) - 1
        if let shortage = DescriptorLimit.shortage(of: DescriptorLimit.forProcess + others * descriptors) {
            throw shortage
        }
        if !hasThreads.load(ordering: .relaxed), let shortage = ThreadLimit.shortage(of: threads) { throw shortage }
        return start
    }

    /// Ends the start; call it once the process runs.
    package func end() {
        Self.hasThreads.store(true, ordering: .relaxed)
        leave()
    }

    private func leave() {
        if !hasEnded.exchange(true, ordering: .relaxed) { Self.underWay.subtract(1, ordering: .relaxed) }
    }
}
