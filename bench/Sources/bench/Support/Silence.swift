internal import Glibc

/// Keeps what zbar's assertions print on standard error from the terminal while pictures are read.
struct Silence {
    /// Standard error as it was, for what the program itself has to say.
    let errors: Int32

    init() {
        errors = dup(2)
        let nowhere = open("/dev/null", O_WRONLY)
        guard errors >= 0, nowhere >= 0 else { return }
        dup2(nowhere, 2)
        close(nowhere)
    }

    /// Puts standard error back.
    func end() {
        guard errors >= 0 else { return }
        dup2(errors, 2)
        close(errors)
    }
}
