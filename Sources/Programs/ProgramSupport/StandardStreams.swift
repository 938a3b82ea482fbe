internal import Glibc

/// Protection of the descriptor numbers of standard input, output and error.
public enum StandardStreams {
    /// Opens a placeholder for each stream that was closed when the program started.
    ///
    /// Otherwise the next opened file would get its number, and standard output would be written to that file.
    /// Reading from a closed input and writing to a closed output still fail.
    public static func reserve() {
        for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) < 0 {
            // Open in the mode that is never used. It gets the lowest free number, as those below it are open by
            // now.
            _ = open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}
