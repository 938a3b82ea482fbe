internal import CLinux
internal import Glibc

/// Settings of a process before it decodes untrusted images, or starts workers that do.
public enum ProcessLimits {
    /// Limits the memory of the process; beyond that an allocation fails, which terminates most libraries.
    ///
    /// The limit counts private writable memory (Linux 4.7 and later), not mapped files.
    public static func limitMemory(to bytes: Int) {
        limit(RLIMIT_DATA, to: bytes)
    }

    /// Keeps freed memory of one image for the next, up to 64 MiB.
    ///
    /// By default, glibc returns freed memory at the heap's end beyond twice its largest block so far, and takes
    /// larger blocks from the kernel. For camera frames that is most of the memory of each frame, whose pages are
    /// then zeroed and mapped again: about 0.1 ms per frame of 640 x 480. 32 MiB is the largest block that glibc
    /// keeps this way, see mallopt(3).
    public static func keepFreedMemory() {
        qz_keep_freed_memory(64 << 20)
    }

    /// Gives the process the priority of its parent, with a niceness that is higher by some steps.
    ///
    /// If root runs the parent, libdispatch gives its threads other priorities than that of the program, and the
    /// process inherits that of the thread that starts it, so `nice` would have no effect on the work of a pool.
    static func takePriorityOfParent(niceness: Int) {
        let ofProcess = __priority_which_t(PRIO_PROCESS.rawValue)
        // The thread whose number is that of the process runs its main function, and keeps its priority.
        _ = setpriority(ofProcess, 0, getpriority(ofProcess, id_t(getppid())) + Int32(niceness))
    }

    /// Disables core files, so that a crash does not write the process's memory to disk.
    public static func leaveNoCoreFile() {
        limit(RLIMIT_CORE, to: 0)
    }

    /// Makes writes to a closed pipe fail with an error instead of ending this process.
    static func outliveBrokenPipes() {
        var action = sigaction()
        sigaction(SIGPIPE, nil, &action)
        // A program that has its own handler keeps it.
        if action.__sigaction_handler.sa_handler == nil { signal(SIGPIPE, SIG_IGN) }
    }

    /// Makes writes beyond the limit on the size of files (`ulimit -f`) fail with an error instead of ending this process.
    public static func outliveFileLimit() {
        signal(SIGXFSZ, SIG_IGN)
    }

    private static func limit(_ resource: __rlimit_resource, to bytes: Int) {
        var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t(bytes))
        // A lower limit may already be in force; that is not a failure.
        setrlimit(__rlimit_resource_t(resource.rawValue), &limit)
    }
}
