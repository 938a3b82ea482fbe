internal import Glibc

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

    /// How many descriptors must be free before a process is started: its streams, their other ends, and room for what
    /// other threads open meanwhile.
    ///
    /// The process library traps where they run out half-way.
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
    public static func shortage(of count: Int) -> ResourceShortage? {
        withUnsafeTemporaryAllocation(of: Int32.self, capacity: count) { opened in
            var number = 0
            defer { for place in 0..<number { close(opened[place]) } }
            while number < count {
                let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
                if descriptor < 0 { return ResourceShortage(errno: errno) }
                opened[number] = descriptor
                number += 1
            }
            return nil
        }
    }
}
