import BarcodeCore
import Foundation
import Glibc
import ImageCodecs
import TestSupport
import Testing

extension ProgramRunner {
    static let decodeCamera = ProgramRunner.built("decode-camera")
}

extension ProgramTests {
    /// `decode-camera` with recordings in place of a camera.
    @Suite struct CameraProgramTests {
        let camera = ProgramRunner.decodeCamera

        @Test(arguments: Samples.all.filter { $0.symbols.count == 1 && $0.symbols[0].bytesBase64 == nil })
        func aPictureIsAFrame(sample: Sample) async throws {
            let result = try await camera([
                "--replay", Samples.path(sample.file), "--json", "--effort", "normal", "--agreement", "1/1",
            ])
            #expect(result.ending == .exit(0))
            #expect(try result.answer().contents == sample.contents)
        }

        @Test func linesHaveThePlaceAndTheCamera() async throws {
            let result = try await camera(["--replay", Samples.path("qr.png"), "--json"])
            let answer = try result.answer()
            #expect(answer.schema == 1)
            #expect(answer.width == 132 && answer.height == 132)
            #expect(answer.source == Samples.path("qr.png"))
            let object = try #require(
                try JSONSerialization.jsonObject(with: Data(result.output)) as? [String: Any])
            let details = try #require(object["camera"] as? [String: Any])
            #expect(
                Set(details.keys) == ["sequence", "timestamp", "latencyMilliseconds", "dropped", "skipped"])
            #expect(details["sequence"] as? Int == 0)
            #expect(try #require(details["latencyMilliseconds"] as? Double) >= answer.milliseconds.decode)
        }

        @Test func aFolderIsPlayedInTheOrderOfItsNames() async throws {
            let folder = try TemporaryFolder()
            for (name, sample) in [
                ("1.png", "qr.png"), ("2.png", "qr.png"), ("3.png", "ean8.png"), ("4.txt", "ean13.png"),
            ] {
                try folder.file(name, Samples.bytes(sample))
            }
            let result = try await camera(["--replay", folder.path])
            #expect(result.lines == ["qr_code: https://example.org/quietzone", "ean_8: 96385074"])
            #expect(result.ending == .exit(0))
        }

        @Test func aStreamHasItsOwnTime() async throws {
            let folder = try TemporaryFolder()
            let stream = try folder.file("a.y4m", Self.stream(of: "itf.png", rate: "10:1", frames: 25))
            let result = try await camera(["--replay", stream, "--json", "--repeat", "1"])
            // Reported with the second frame, like a weak code, and again a second later, which is ten frames.
            let sequences = try result.lines.map { line -> Int? in
                let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
                return (object?["camera"] as? [String: Any])?["sequence"] as? Int
            }
            #expect(sequences == [1, 11, 21])
        }

        @Test func commandIsACamera() async throws {
            let result = try await camera([
                "--device", "exec:cat '\(Samples.path("qr-colour.jpg"))'", "--once", "--json",
            ])
            #expect(result.ending == .exit(0), "\(result.messages)")
            #expect(try result.answer().source == "exec:cat")
            #expect(try result.answer().contents == Samples.all.first { $0.file == "qr-colour.jpg" }?.contents)
        }

        @Test(arguments: ["rtsp://user:hush@127.0.0.1/1", "exec:ffmpeg -i rtsp://user:hush@127.0.0.1/1 -f mjpeg -"])
        func passwordOnTheCommandLineIsRefused(device: String) async throws {
            let result = try await camera(["--device", device])
            #expect(result.ending == .exit(64))
            #expect(result.messages.contains("give --device @FILE"))
            #expect(!result.messages.contains("hush"))
        }

        @Test func onceEndsWithTheFirstCode() async throws {
            let result = try await camera(["--replay", Samples.folder, "--once", "--formats", "ean_8", "--stats"])
            #expect(result.lines == ["ean_8: 96385074"])
            #expect(result.messages.contains("latency p50"))
            #expect(result.ending == .exit(0))
        }

        @Test func onlyTheRegionIsLookedAt() async throws {
            let all = try await camera(["--replay", Samples.path("order-form.png"), "--effort", "normal"])
            let part = try await camera([
                "--replay", Samples.path("order-form.png"), "--effort", "normal", "--roi", "0%,0%,100%,25%",
            ])
            #expect(all.lines.count > part.lines.count)
            #expect(Set(part.lines).isSubset(of: all.lines))
        }

        @Test func aSnapshotIsThePicture() async throws {
            let folder = try TemporaryFolder()
            let result = try await camera(["--replay", Samples.path("ean8.png"), "--snapshot", folder["still.png"]])
            #expect(result.ending == .exit(0))
            let still = try ImageLoader().load(contentsOf: folder["still.png"]).image
            let picture = try ImageLoader().load(contentsOf: Samples.path("ean8.png")).image
            let written = still.withUnsafePixels { Array($0) }
            let played = picture.withUnsafePixels { Array($0) }
            #expect(written == played)
        }

        /// The command ends the program once its only frame was read: the pipe cannot hold what is written behind it.
        @Test func aSnapshotIsTheLastOfFewFrames() async throws {
            let folder = try TemporaryFolder()
            let script =
                #"printf "YUV4MPEG2 W400 H400 F30:1 Cmono\nFRAME\n"; head -c 160000 /dev/zero; printf "FRAME\n"; "#
                + "head -c 150000 /dev/zero; kill -INT $PPID; sleep 1000"
            let result = try await camera(["--device", "exec:sh -c '\(script)'", "--snapshot", folder["still.png"]])
            #expect(result.ending == .exit(0), "\(result.messages)")
            #expect(try ImageLoader().load(contentsOf: folder["still.png"]).image.width == 400)
        }

        /// Output does not go through a link, and does not block on a pipe.
        @Test func aSnapshotReplacesARegularFileOnly() async throws {
            let folder = try TemporaryFolder()
            let target = try folder.file("target", Array("mine".utf8))
            for path in [try folder.link("link", to: target), try folder.fifo("pipe")] {
                let result = try await camera(["--replay", Samples.path("ean8.png"), "--snapshot", path])
                #expect(result.ending == .exit(1))
                #expect(result.messages.contains("\(path): could not be written: it is not a regular file"))
            }
            #expect(readFile(target) == Array("mine".utf8))
        }

        /// If standard output is closed, no opened file may take its descriptor and receive the output.
        @Test(arguments: [["--once"], ["--once", "--json"], []]) func closedOutput(options: [String]) async throws {
            var program = camera
            program.streams.output = .closed
            let result = try await program(["--replay", Samples.path("ean8.png")] + options)
            #expect(result.ending == .exit(1))
            #expect(result.messages.contains("the output could not be written: Bad file descriptor"))
        }

        /// The end of a reader such as `head` ends the program without a message, as it ends `decode-image`.
        @Test func aReaderThatIsGone() async throws {
            let folder = try TemporaryFolder()
            let pipe = ProgramRunner(
                executable: "/bin/bash",
                leading: [
                    "-c", #"exec 3<>"$0" 4>"$0" 3<&-; exec "$@" >&4"#, try folder.fifo("pipe"), camera.executable,
                ])
            let result = try await pipe(["--replay", Samples.path("qr.png")])
            #expect(result.ending == .signal(SIGPIPE) && result.messages == "", "\(result.messages)")
        }

        @Test func noCodeIsNoError() async throws {
            let result = try await camera(["--replay", Samples.path("no-code.jpg")])
            #expect(result.ending == .exit(4))
            #expect(result.output.isEmpty)
        }

        /// Without a frame nobody knows if there is a code.
        @Test func noFrameIsAnError() async throws {
            let folder = try TemporaryFolder()
            let empty = try folder.file("empty.y4m", "YUV4MPEG2 W2 H2 Cmono\n")
            for (arguments, sentence) in [
                (["--replay", empty], "\(empty): contains no frame"),
                (["--quiet", "--timeout", "0.1", "--device", "exec:sleep 1000"], "exec:sleep: no frame arrived"),
            ] {
                let result = try await camera(arguments)
                #expect(result.ending == .exit(1))
                #expect(result.messages == "decode-camera: \(sentence)\n")
            }
        }

        /// A played ffmpeg that was taken over listens at a port.
        @Test func ffmpegIsInASandbox() async throws {
            let folder = try TemporaryFolder()
            let ffmpeg = try folder.file(
                "ffmpeg",
                "#!/usr/bin/perl\nuse Socket; socket(S, AF_INET, SOCK_STREAM, 0); listen(S, 1); print STDERR 'did';\n")
            try makeExecutable(ffmpeg)
            var runner = ProgramRunner.built("decode-camera")
            runner.environment = ["PATH=\(folder.path):/usr/bin:/bin", "HOME=\(folder.path)"]
            runner.streams = .init(input: .closed, output: .append(folder["output"]), error: .append(folder["log"]))
            let program = try runner.start(["--device", "rtsp://127.0.0.1/camera"])
            let isRefused = await eventually {
                readFile(folder["log"])?.text.contains("made a system call that its sandbox forbids") == true
            }
            #expect(isRefused, "\(readFile(folder["log"])?.text ?? "")")
            program.signal(SIGKILL)
            _ = try program.end()
        }

        @Test(arguments: [
            (["--device", "/dev/null"], "/dev/null: is not a V4L2 device"),
            (["--device", "/dev/no-camera"], "/dev/no-camera: there is no such device"),
            (
                ["--device", "exec:no-such-program"],
                "exec:no-such-program: the program no-such-program is not installed"
            ),
            (["--replay", "/nowhere"], "/nowhere: there is no such recording"),
            (["--replay", Samples.folder + "README.md"], "README.md: is a text file, not a picture"),
            (["--replay", Samples.path("qr.png"), "--roi", "900,900,9,9"], "the region is outside the frame"),
            (
                ["--replay", Samples.path("qr.png"), "--snapshot", "/nowhere/a.png"],
                "/nowhere/a.png: could not be written"
            ),
        ])
        func errorsAreSentences(arguments: [String], message: String) async throws {
            let result = try await camera(arguments)
            #expect(result.ending == .exit(1))
            #expect(result.messages.contains(message), "\(result.messages)")
            #expect(result.messages.hasPrefix("decode-camera: "))
        }

        @Test(arguments: [
            ["--size", "big"], ["--size", "0x9"], ["--rate", "0"], ["--format", "RGB3"], ["--set", "focus"],
            ["--formats", "qr"], ["--roi", "1,2"], ["--agreement", "3/2"], ["--timeout", "0"],
            ["--once", "--list"], ["--replay", "a", "--device", "b"], ["--replay", "a", "--set", "x=1"],
            ["picture.png"], ["--device", "exec:"], ["--device", "exec:true", "--list"], ["--device", "@/nowhere"],
            ["--device", "udp://239.0.0.1:1234"],
        ])
        func wrongCommandLines(arguments: [String]) async throws {
            #expect(try await camera(arguments).ending == .exit(64))
        }

        @Test(arguments: [
            ("no size", "YUV4MPEG2 F30:1\nFRAME\n", "has an invalid size of 0 x 0"),
            ("deep", "YUV4MPEG2 W2 H2 C420p10\nFRAME\n", "has the layout '420p10'"),
            ("huge", "YUV4MPEG2 W60000 H60000 Cmono\nFRAME\n", "the limit is 200 megapixels"),
            ("no frame", "YUV4MPEG2 W2 H2 Cmono\nGARBAGE\n", "does not begin with FRAME"),
            ("no second frame", "YUV4MPEG2 W2 H2 Cmono\nFRAME\nabcdGARBAGE without end", "does not begin with FRAME"),
            ("cut off", "YUV4MPEG2 W2 H2 Cmono\nFRAME\nab", "is cut off in the middle of a frame"),
        ])
        func damagedStreams(label: String, content: String, message: String) async throws {
            let folder = try TemporaryFolder()
            let result = try await camera(["--replay", folder.file("bad.y4m", Array(content.utf8))])
            #expect(result.ending == .exit(1))
            #expect(result.messages.contains(message), "\(label): \(result.messages)")
            #expect(result.messages.split(separator: "\n").count == 1, "\(label): \(result.messages)")
        }

        /// A stream may state any rate, also one whose interval is no number.
        @Test(arguments: ["1:1e30", "inf:1", "1:inf", "nan:1", "1e19:1", "1e300:1"])
        func aRateOfNoCamera(_ rate: String) async throws {
            let folder = try TemporaryFolder()
            let stream = "YUV4MPEG2 W4 H2 F\(rate) Cmono\nFRAME\n        "
            let recording = try folder.file("a.y4m", Array(stream.utf8))
            for device in [["--replay", recording], ["--device", "exec:cat \(recording)"]] {
                let result = try await camera(["--timeout", "30"] + device)
                #expect([.exit(1), .exit(4)].contains(result.ending), "\(device): \(result.messages)")
            }
        }

        @Test func aPictureThatCannotBeReadCostsNoOther() async throws {
            let folder = try TemporaryFolder()
            try folder.file("1.png", Array("no picture".utf8))
            try folder.file("2.png", Samples.bytes("qr.png"))
            let result = try await camera(["--replay", folder.path])
            #expect(result.lines == ["qr_code: https://example.org/quietzone"])
            #expect(result.messages.contains("1.png: is a text file, not a picture"))
            #expect(result.ending == .exit(1))
        }

        /// Returns a stream that shows a sample in each frame, with chroma that must be ignored.
        static func stream(of sample: String, rate: String, frames: Int) throws -> [UInt8] {
            let image = try ImageLoader().load(contentsOf: Samples.path(sample)).image
            let luma = image.withUnsafePixels { Array($0) }
            let chroma = [UInt8](repeating: 0, count: (image.width + 1) / 2 * ((image.height + 1) / 2) * 2)
            let header = "YUV4MPEG2 W\(image.width) H\(image.height) F\(rate) Ip A1:1 C420jpeg\n"
            return (0..<frames).reduce(into: Array(header.utf8)) { bytes, _ in
                bytes += Array("FRAME\n".utf8) + luma + chroma
            }
        }
    }
}
