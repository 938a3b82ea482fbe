import CLinux
import Glibc
import TestSupport
import Testing

/// The programs that `qz_process_start` starts, by itself and by its helper.
@Suite(.timeLimit(.minutes(10))) struct ProcessTests {
    private static func start(
        _ process: inout qz_process, _ arguments: [String], document: Int32 = -1, _ limits: qz_process_limits? = nil
    ) -> Int32 {
        var copies = arguments.map { strdup($0) } + [nil]
        defer { for copy in copies { free(copy) } }
        guard var limits else { return qz_process_start(&process, &copies, document, -1, nil) }
        return qz_process_start(&process, &copies, document, -1, &limits)
    }

    private static func output(of process: qz_process) -> [UInt8] {
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case let count = read(process.output, &buffer, buffer.count), count > 0 { text += buffer[..<count] }
        return text
    }

    /// A library may leave descriptors open for programs that are started, such as the sockets of a server.
    @Test(arguments: [false, true]) func itInheritsNothingElse(hasDocument: Bool) throws {
        let document = open("/dev/null", O_RDONLY | O_CLOEXEC)
        let leftOpen = fcntl(document, F_DUPFD, 50)
        defer { for one in [document, leftOpen] { close(one) } }
        try #require(leftOpen >= 50)
        var process = qz_process()
        let command = ["/bin/sh", "-c", "for one in /proc/$$/fd/*; do echo ${one##*/}; done"]
        try #require(Self.start(&process, command, document: hasDocument ? document : -1) == 0)
        defer { qz_process_end(&process) }
        let text = Self.output(of: process)
        let found = text.split(separator: 0x0A).compactMap { Int32(String(decoding: $0, as: UTF8.self)) }
        #expect(found.starts(with: [0, 1, 2]) && !found.contains(leftOpen))
    }

    /// A worker that was taken over may ask for more than one program after the other, and for any limits.
    @Test func theHelperGrantsNoMoreThanItsLimits() async {
        await #expect(processExitsWith: .success) {
            let names: [UnsafePointer<CChar>?] = [UnsafePointer(strdup("sh")), nil]
            try #require(qz_helper_start(names) == 0)
            let limits = qz_process_limits(kind: QZ_READS, memory: .max, seconds: .max, output: .max)
            let command = ["sh", "-c", "ulimit -d; ulimit -t; ulimit -f; read line </dev/zero"]
            var (one, two, three) = (qz_process(), qz_process(), qz_process())
            #expect(ProcessTests.start(&one, command, limits) == 0)
            #expect(ProcessTests.start(&two, command, limits) == 0)
            #expect(ProcessTests.start(&three, command, limits) == EAGAIN)
            var buffer = [UInt8](repeating: 0, count: 64)
            var text = ""
            while text.split(separator: "\n").count < 3 || text.last != "\n" {
                let count = read(one.output, &buffer, buffer.count)
                guard count > 0 else { break }
                text += String(decoding: buffer[..<count], as: UTF8.self)
            }
            #expect(text == "1048576\n3600\n0\n")
            qz_process_end(&one)
            #expect(ProcessTests.start(&three, command, limits) == 0)
            qz_process_end(&two)
            qz_process_end(&three)
        }
    }

    /// An attempt of a program that reads a network camera and was taken over.
    struct Attempt: CustomTestStringConvertible, Sendable {
        var testDescription: String
        /// A condition in Perl.
        var condition: String
        /// True if it may succeed: always, for a host of the local network alone, or without Landlock alone.
        var maySucceed: @Sendable (_ isLocal: Bool, _ hasLandlock: Bool) -> Bool

        init(
            _ testDescription: String, _ condition: String,
            _ maySucceed: @escaping @Sendable (Bool, Bool) -> Bool = { _, _ in false }
        ) {
            (self.testDescription, self.condition, self.maySucceed) = (testDescription, condition, maySucceed)
        }

        static let all = [
            Attempt("connects", "socket(S, AF_INET, SOCK_STREAM, 0) && connect(S, $server)") { _, _ in true },
            Attempt("looks up a host", "defined(gethostbyname('localhost'))") { _, _ in true },
            Attempt("reads how names are looked up", "open(F, '<', '/etc/hosts')") { _, _ in true },
            Attempt("connects to a local socket", "socket(S, AF_UNIX, SOCK_STREAM, 0)") { isLocal, _ in isLocal },
            Attempt("reads a file", "open(F, '<', '/etc/passwd')") { _, hasLandlock in !hasLandlock },
            Attempt("writes a file", "open(F, '>', $file)"),
            Attempt("listens", "socket(S, AF_INET, SOCK_STREAM, 0) && listen(S, 1)"),
            Attempt("opens another netlink socket", "socket(S, 16, SOCK_RAW, 9)"),
            Attempt("signals its parent", "kill(0, getppid())"),
            Attempt("starts a process", "defined(fork())"),
        ]
    }

    @Test(arguments: Attempt.all, [false, true]) func aReceiverThatIsTakenOver(_ attempt: Attempt, isLocal: Bool) throws
    {
        guard qz_sandbox_can_filter_calls() == 1 else {
            print("the sandbox of receivers is not tested: system calls cannot be filtered here")
            return
        }
        let folder = try TemporaryFolder()
        let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(server) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(server, $0, size) == 0 && listen(server, 1) == 0 && getsockname(server, $0, &size) == 0
            }
        }
        try #require(isBound)
        let script = """
            use Socket;
            my $server = sockaddr_in(\(UInt16(bigEndian: address.sin_port)), INADDR_LOOPBACK);
            my $file = '\(folder["file"])';
            $| = 1;
            print "tried\\n";
            if (\(attempt.condition)) { print "succeeded\\n" }
            """
        var process = qz_process()
        var limits = qz_process_limits(
            kind: isLocal ? QZ_RECEIVES_LOCAL : QZ_RECEIVES, memory: 1 << 30, seconds: 60, output: 0)
        let words = ["/usr/bin/perl", "-e", script]
        var arguments = words.map { strdup($0) } + [nil]
        defer { for copy in arguments { free(copy) } }
        try #require(qz_process_start(&process, &arguments, -1, -1, &limits) == 0)
        let text = Self.output(of: process).text
        let status = qz_process_end(&process)
        let maySucceed = attempt.maySucceed(isLocal, qz_sandbox_can_restrict_paths() == 1)
        let isKilled = attempt.testDescription == "listens"
        #expect(text == (maySucceed ? "tried\nsucceeded\n" : "tried\n"))
        #expect(status == (isKilled ? SIGSYS : 0))
        #expect(access(folder["file"], F_OK) != 0)
    }
}
