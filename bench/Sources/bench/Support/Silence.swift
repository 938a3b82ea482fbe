internal import Glibc

/// Redirects standard error during decoding, to hide the assertion messages of zbar.
struct Silence {
    /// A duplicate of the original standard error, for the program's own messages.
    let errors: Int32

    init() {
        errors = dup(2)
        let nowhere = open("/dev/null", O_WRONLY)
        guard errors >= 0, nowhere >= 0 else { return }
        dup2(nowhere, 2)
        close(nowhere)
    }

    /// Restores standard error.
    func end() {
        guard errors >= 0 else { return }
        dup2(errors, 2)
        close(errors)
    }
}
