internal import Glibc

/// Standard input, output and error as numbers that mean nothing else.
public enum StandardStreams {
    /// Puts a file in the place of each stream that was closed when the program started.
    ///
    /// The next file that is opened would get its number otherwise, and with it what is written to standard output.
    /// Reading from a closed input and writing to a closed output fail as before.
    public static func reserve() {
        for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) < 0 {
            // Open for what nobody does with it. It is the lowest free number, as those below it are open by now.
            _ = open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}
