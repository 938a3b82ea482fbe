import Glibc

/// Standard input, output and error as numbers that mean nothing else.
enum StandardDescriptors {
    /// Takes those of the three that were closed when the program started.
    ///
    /// The next file to be opened would get the number otherwise, and answers would be written into it. Reading from
    /// a closed input and writing to a closed output fail as before.
    static func reserve() {
        for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) < 0 && errno == EBADF {
            // Open for what nobody does with it. It is the lowest free number, as those below it are open by now.
            _ = open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}
