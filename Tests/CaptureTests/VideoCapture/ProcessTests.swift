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
        guard var limits else { return qz_process_start(&process, &copies, document, nil) }
        return qz_process_start(&process, &copies, document, &limits)
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
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case let count = read(process.output, &buffer, buffer.count), count > 0 { text += buffer[..<count] }
        let found = text.split(separator: 0x0A).compactMap { Int32(String(decoding: $0, as: UTF8.self)) }
        #expect(found.starts(with: [0, 1, 2]) && !found.contains(leftOpen))
    }

    /// A worker that was taken over may ask for more than one program after the other, and for any limits.
    @Test func theHelperGrantsNoMoreThanItsLimits() async {
        await #expect(processExitsWith: .success) {
            let names: [UnsafePointer<CChar>?] = [UnsafePointer(strdup("sh")), nil]
            try #require(qz_helper_start(names) == 0)
            let limits = qz_process_limits(memory: .max, seconds: .max, output: .max)
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
}
