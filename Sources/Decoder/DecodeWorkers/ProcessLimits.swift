internal import CLinux
internal import Glibc

/// What a process sets for itself before it looks at pictures from strangers, or has others look.
public enum ProcessLimits {
    /// Bounds the memory that the process may take; beyond that an allocation fails, which ends most libraries.
    ///
    /// What counts is private writable memory (Linux 4.7 and later), not the files that are mapped.
    public static func limitMemory(to bytes: Int) {
        limit(RLIMIT_DATA, to: bytes)
    }

    /// Has memory that one picture needed kept for the next, up to 64 MiB.
    ///
    /// glibc gives back what is freed at the heap's end beyond twice its largest block so far, and takes larger blocks
    /// from the kernel: for frames of a camera that is most of the memory of each frame, whose pages are then zeroed and
    /// mapped anew, about 0.1 ms a frame of 640 x 480. 32 MiB is the largest block that glibc itself keeps so, see
    /// mallopt(3).
    public static func keepFreedMemory() {
        qz_keep_freed_memory(64 << 20)
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
