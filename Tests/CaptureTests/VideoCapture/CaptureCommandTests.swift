import BarcodeCore
import TestSupport
import Testing

@testable import VideoCapture

/// Commands and addresses in place of a device.
@Suite struct CaptureCommandTests {
    @Test(arguments: ["/dev/video0", "/dev/v4l/by-id/usb-x", "none", "/dev/a://b", "exec", ""])
    func otherTextIsAPath(text: String) throws {
        #expect(try CaptureCommand(text) == nil)
    }

    @Test(
        arguments: [
            ("exec:rpicam-vid -t 0 -o -", ["rpicam-vid", "-t", "0", "-o", "-"]),
            ("exec:  a   b ", ["a", "b"]),
            (#"exec:sh -c 'echo "a b" \n'"#, ["sh", "-c", #"echo "a b" \n"#]),
            (#"exec:a "b 'c' \" d" e\ f """#, ["a", #"b 'c' " d"#, "e f", ""]),
            ("exec:a #b", ["a", "#b"]),
            ("exec:a#size=4x2#format=GREY", ["a"]),
            ("exec:a #x=1#size=4x2#format=GREY", ["a", "#x=1"]),
        ])
    func commandsAreSplitAsByAShell(text: String, words: [String]) throws {
        let command = try #require(try CaptureCommand(text))
        #expect(command.arguments == words)
        #expect(command.name == "exec:\(words[0])")
        #expect(command.input == nil)
    }

    @Test(
        arguments: [
            ("exec:", "must be followed by a command"), ("exec:a 'b", "ends within a quote"),
            ("exec:a \\", "ends within a quote"), ("exec:a#size=4x2", "both #size= and #format="),
            ("exec:a#format=GREY", "both #size= and #format="), ("exec:a#size=4#format=GREY", "WIDTHxHEIGHT"),
            ("exec:a#size=65535x65535#format=GREY", "WIDTHxHEIGHT"), ("exec:a#size=0x2#format=GREY", "WIDTHxHEIGHT"),
            ("exec:a#size=4x2#format=MJPG", "#format= and one of GREY, NV12"),
            ("exec:" + String(repeating: "a", count: 9000), "longer than 8192 bytes"),
            ("rtsp://camera/a b", "written as in %20"), ("rtsp://camera/a\nfile b", "written as in %20"),
            ("@/nowhere/camera.txt", "cannot be read"),
            ("ftp://user:secret@camera/x", "ftp://camera/x: an address must begin with rtsp://, rtsps://, http://"),
        ])
    func mistakesAreNamed(text: String, words: String) {
        let error = #expect(throws: CaptureError.self) { _ = try CaptureCommand(text) }
        #expect(error?.description.contains(words) == true)
    }

    @Test(
        arguments: [
            ("rtsp://camera.local/stream", "rtsp://camera.local/stream", false),
            ("rtsp://user:secret@camera.local:554/stream?pwd=secret", "rtsp://camera.local:554/stream", true),
            ("RTSPS://user:se@cret@10.0.0.5/1", "RTSPS://10.0.0.5/1", true),
            ("http://camera.local/video?user=a&pwd=secret", "http://camera.local/video", false),
            ("https://user@camera.local/", "https://camera.local/", true),
        ])
    func passwordsAreInNoNameAndNoArgument(text: String, name: String, exposesPassword: Bool) throws {
        let command = try #require(try CaptureCommand(text))
        #expect(command.name == name)
        #expect(command.exposesPassword == exposesPassword)
        #expect(command.arguments[0] == "ffmpeg")
        #expect(
            !command.arguments.contains { $0.contains("camera") || $0.contains("secret") || $0.contains("10.0.0.5") })
        #expect(try #require(command.input).contains("file '\(text)'\n"))
    }

    @Test func quotesInAnAddressStayInIt() throws {
        let command = try #require(try CaptureCommand("http://camera/'x"))
        #expect(command.input == "ffconcat version 1.0\nfile 'http://camera/'\\''x'\n")
    }

    @Test func addressMayBeInAFile() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("camera.txt", Array("rtsp://user:secret@camera/1\nmore".utf8))
        let command = try #require(try CaptureCommand("@\(file)"))
        #expect(command.name == "rtsp://camera/1")
        #expect(!command.exposesPassword)
        // The last two name each other.
        for (name, line) in [
            ("other.txt", "/dev/video0"), ("a.txt", "@\(folder["b.txt"])"), ("b.txt", "@\(folder["a.txt"])"),
        ] {
            let other = try folder.file(name, Array("\(line)\n".utf8))
            let error = #expect(throws: CaptureError.self) { _ = try CaptureCommand("@\(other)") }
            #expect(error?.subject == other)
        }
    }

    @Test(
        arguments: [
            ("rtsp://u:p@host/x?k=v: 401", "rtsp://host/x 401"),
            ("Impossible to open 'rtsp://u:p@host/x'", "Impossible to open 'rtsp://host/x'"),
            ("no address", "no address"), ("mail a@b", "mail a@b"),
        ])
    func messagesOfProgramsLoseTheirSecrets(text: String, expected: String) {
        #expect(CaptureCommand.withoutSecrets(text) == expected)
    }
}
