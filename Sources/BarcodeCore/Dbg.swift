internal import Glibc
public func dbgLog(_ text: String) {
    let file = open("/tmp/t-speed/dbg.log", O_WRONLY | O_CREAT | O_APPEND, 0o666)
    let line = text + "\n"
    _ = line.utf8CString.withUnsafeBytes { write(file, $0.baseAddress!, $0.count - 1) }
    close(file)
}
public func dbgNow() -> Double {
    var time = timespec(); clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
}
