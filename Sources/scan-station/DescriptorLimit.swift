import Glibc

/// How many files, pipes and connections this process may have open.
enum DescriptorLimit {
    /// What is worth asking for.
    private static let wanted: rlim_t = 4096

    /// Raises the limit as far as the system allows and the station needs.
    ///
    /// - Returns: the limit from then on.
    static func raise() -> Int {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(resource, &limit) == 0 else { return 1024 }
        if limit.rlim_cur < wanted {
            limit.rlim_cur = min(wanted, limit.rlim_max)
            _ = setrlimit(resource, &limit)
            _ = getrlimit(resource, &limit)
        }
        return Int(clamping: limit.rlim_cur)
    }
}
