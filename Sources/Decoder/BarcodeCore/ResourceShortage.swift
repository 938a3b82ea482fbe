internal import Glibc
internal import Synchronization

/// What this process or its machine has too little of for the moment: file descriptors, processes or memory.
///
/// It says nothing about the file or the receiver that was to be served: whoever meets it waits and tries again.
public struct ResourceShortage: Error, Sendable, Hashable, CustomStringConvertible {
    /// A clause for people, with the remedy.
    public let description: String

    /// The shortage that an error number stands for; nil where it stands for something else.
    ///
    /// - Parameter startsProcess: whether a process or a thread was to be started, where EAGAIN means too many of them.
    public init?(errno code: Int32, startsProcess: Bool = false) {
        switch code {
        case EMFILE:
            description =
                "this process has too many open files; raise its limit (ulimit -n, or LimitNOFILE= of its service)"
        case ENFILE: description = "the machine has too many open files; raise fs.file-max (sysctl)"
        case ENOMEM, ENOBUFS: description = "the machine has no memory left for it"
        case EAGAIN where startsProcess:
            description =
                "this user has too many processes; raise their number (ulimit -u, or TasksMax= of its service)"
        default: return nil
        }
    }
}

/// How many files this process may have open.
public enum DescriptorLimit {
    /// The soft limit is raised to no more than this: nothing here needs more, and old programs that are started from
    /// here would close each descriptor below it one by one.
    public static let maximumUseful = 65_536

    /// How many descriptors must be free before a process is started, besides those of other starts: its streams, their
    /// other ends, and room for what other threads open meanwhile.
    public static let forProcess = 32
    /// How many must be free before a connection is made: the socket, and the files that a name server's and a
    /// certificate's are looked up in.
    public static let forConnection = 8

    /// Raises the soft limit to the hard one, and returns what it is now.
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

    /// Why so many descriptors could not be opened now; nil where they could.
    ///
    /// They are counted and not opened: whoever opens one meanwhile must not fail for it.
    public static func shortage(of count: Int) -> ResourceShortage? {
        // The machine may lack them too.
        let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
        if descriptor < 0 { return ResourceShortage(errno: errno) }
        close(descriptor)
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
        let end = Int32(min(limit.rlim_cur, rlim_t(1 << 20)))
        // The lowest are given out first, so that a look at the first of them is mostly enough.
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

/// The number of threads this process may start, which count as processes of its user.
enum ThreadLimit {
    /// The reason why so many threads cannot run now beside those that do; `nil` if they can.
    ///
    /// They are started, and end at once: the kernel does not tell how many there may be.
    static func shortage(of count: Int) -> ResourceShortage? {
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
/// The process library traps where descriptors run out half-way. Several starts at once need them for each. With its first
/// process it starts threads of its own, and waits for ever for one that could not be started.
package final class ProcessStart: Sendable {
    /// Three streams with their other ends, and two for what the start has come to.
    private static let descriptors = 8
    private static let underWay = Atomic(0)
    /// The threads of the process library, the new process, and two that tasks may need.
    private static let threads = 6
    /// True once a process, and with it the threads of the library, was started.
    private static let hasThreads = Atomic(false)

    private let hasEnded = Atomic(false)

    private init() {
        Self.underWay.add(1, ordering: .relaxed)
    }

    deinit { leave() }

    /// Begins a start, which ends with ``end()`` or with the value.
    ///
    /// - Throws: what this process or its machine has too little of.
    package static func begin() throws(ResourceShortage) -> ProcessStart {
        let start = ProcessStart()
        let others = underWay.load(ordering: .relaxed) - 1
        if let shortage = DescriptorLimit.shortage(of: DescriptorLimit.forProcess + others * descriptors) {
            throw shortage
        }
        if !hasThreads.load(ordering: .relaxed), let shortage = ThreadLimit.shortage(of: threads) { throw shortage }
        return start
    }

    /// To be called once the process runs.
    package func end() {
        Self.hasThreads.store(true, ordering: .relaxed)
        leave()
    }

    private func leave() {
        if !hasEnded.exchange(true, ordering: .relaxed) { Self.underWay.subtract(1, ordering: .relaxed) }
    }
}
