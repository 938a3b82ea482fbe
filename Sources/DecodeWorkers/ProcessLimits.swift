internal import Glibc

/// What a process sets for itself before it looks at pictures from strangers, or has others look.
public enum ProcessLimits {
    /// Bounds the memory that the process may take; beyond that an allocation fails, which ends most libraries.
    ///
    /// What counts is private writable memory (Linux 4.7 and later), not the files that are mapped.
    public static func limitMemory(to bytes: Int) {
        limit(RLIMIT_DATA, to: bytes)
    }

    /// Keeps a crash from writing the process's memory to a file.
    public static func leaveNoCoreFile() {
        limit(RLIMIT_CORE, to: 0)
    }

    /// Has writing to a process that is gone fail with an error, where it would end this process.
    static func outliveBrokenPipes() {
        var action = sigaction()
        sigaction(SIGPIPE, nil, &action)
        // A program that has a handler of its own keeps it.
        if action.__sigaction_handler.sa_handler == nil { signal(SIGPIPE, SIG_IGN) }
    }

    private static func limit(_ resource: __rlimit_resource, to bytes: Int) {
        var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t(bytes))
        // A lower limit that is in force already stays; that is no failure.
        setrlimit(__rlimit_resource_t(resource.rawValue), &limit)
    }
}
