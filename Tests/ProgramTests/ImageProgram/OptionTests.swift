import BarcodeCore
import Foundation
import ImageCodecs
import TestSupport
import Testing

extension ProgramTests {
    /// The effect of each option.
    @Suite struct OptionTests {
        let qr = Samples.path("qr.png")
        let ean = Samples.path("ean8.png")

        @Test(arguments: [
            ("qr_code", "qr.png"), ("aztec", "aztec.png"), ("sq_code", "sq.png"), ("ean_13", "ean13.png"),
            ("data_matrix", "data-matrix.png"),
            ("ean_8", "ean8.png"),
            ("upc_a", "upca.png"), ("upc_e", "upce.png"), ("isbn_13", "isbn.png"), ("isbn_10", "isbn.png"),
            ("ean_2", "ean13-addon2.png"), ("ean_5", "ean13-addon5.png"), ("code_128", "code128.png"),
            ("code_93", "code93.png"), ("code_39", "code39.png"), ("codabar", "codabar.png"), ("itf", "itf.png"),
            ("databar", "databar.png"), ("databar_expanded", "databar-expanded.png"), ("pdf417", "pdf417.png"),
            ("micro_pdf417", "micro-pdf417.png"), ("han_xin", "han-xin.png"), ("dot_code", "dot-code.png"),
            ("usps_imail", "intelligent-mail.png"),
        ])
        func formats(_ name: String, _ file: String) async throws {
            let picture = Samples.path(file)
            let chosen = try await decodeImage(["--json", "--formats", name, picture]).answer()
            #expect(chosen.symbols.map(\.format) == [name])
            let other = name == "qr_code" ? "code_128" : "qr_code"
            let left = try await decodeImage(["--json", "--formats", other, picture])
            #expect(try left.answer().symbols.isEmpty)
            #expect(left.ending == .exit(4))
        }

        @Test func formatsTakesAList() async throws {
            let answer = try await decodeImage(
                ["--json", "--formats", "qr_code, ITF", Samples.path("order-form.png")]
            ).answer()
            #expect(Set(answer.symbols.map(\.format)) == ["qr_code", "itf"])
            let all = try await decodeImage(["--json", "--formats", "all", Samples.path("order-form.png")]).answer()
            #expect(all.symbols.count == 5)
            // A repeated option adds to the list.
            let twice = try await decodeImage(
                ["--json", "--formats", "qr_code", "--formats", "ITF", Samples.path("order-form.png")]
            ).answer()
            #expect(twice.symbols.map(\.format) == answer.symbols.map(\.format))
        }

        /// The spellings of zbar, zxing-cpp and others.
        @Test(arguments: ["QRCode", "QR-Code", "qrcode", "QR_CODE", " qr code", "ean13,QRCODE", "CODE-128,Qrcode"])
        func formatsTakesTheSpellingsOfOthers(_ names: String) async throws {
            #expect(try await decodeImage(["--json", "--formats", names, qr]).answer().symbols.count == 1)
        }

        @Test(arguments: [
            ("qrcod", "qr_code"), ("ean_31", "ean_13"), ("code182", "code_128"), ("datamtrix", "data_matrix"),
        ])
        func formatsNamesTheNearest(_ word: String, _ nearest: String) async throws {
            let result = try await decodeImage(["--formats", word, qr])
            #expect(result.ending == .exit(64))
            #expect(result.messages.contains("there is no symbology '\(word)'; did you mean '\(nearest)'?"))
        }

        @Test func formatsNamesWhatItKnows() async throws {
            let result = try await decodeImage(["--formats", "qr_code,rm4scc", qr])
            #expect(result.ending == .exit(64))
            #expect(result.output.isEmpty)
            #expect(result.messages.contains("'rm4scc'"))
            for format in Symbology.all { #expect(result.messages.contains(format.rawValue)) }
        }

        @Test(arguments: ["fast", "normal", "thorough"]) func effort(_ effort: String) async throws {
            let result = try await decodeImage(["--effort", effort, qr, Samples.path("qr-inverted.png")])
            #expect(
                result.lines.map { $0.suffix(29) } == [
                    "https://example.org/quietzone", "https://example.org/quietzone",
                ])
        }

        @Test(arguments: [["--jobs", "1"], ["--jobs=2"], ["-j", "7"], ["-j4"], ["-rj", "3"], ["-j2", "-rq"]])
        func jobs(_ jobs: [String]) async throws {
            let files = (0..<20).flatMap { _ in [qr, ean] }
            let result = try await decodeImage(jobs + files)
            #expect(result.lines.count == 40)
            #expect(result.lines.map { String($0.prefix { $0 != ":" }) } == files)
            #expect(result.ending == .exit(0))
        }

        @Test func filesFrom() async throws {
            let folder = try TemporaryFolder()
            let list = try folder.file("list", Array("\(qr)\n\n\(ean)\n\(qr)".utf8))
            let expected = "\(qr): qr_code: https://example.org/quietzone\n"
            let whole = expected + "\(ean): ean_8: 96385074\n" + expected
            #expect(try await decodeImage(["--files-from", list]).text == whole)
            let bytes = try #require(readFile(list))
            #expect(try await decodeImage(["--files-from", "-"], input: bytes).text == whole)
            let zeros = Array("\(qr)\0\(ean)\0\(qr)\0".utf8)
            #expect(try await decodeImage(["--files0-from", "-"], input: zeros).text == whole)
            // Arguments come before the list.
            #expect(try await decodeImage([ean, "--files-from", list]).text == "\(ean): ean_8: 96385074\n" + whole)
            // Of several lists all are read, in their order.
            let other = try folder.file("other", "\(qr)\n")
            #expect(
                try await decodeImage(["--files-from", other, "--files-from", list]).text == expected + whole)
        }

        /// The line ends of a list that was written on Windows; a name may also end in a carriage return.
        @Test func listWithCarriageReturns() async throws {
            let folder = try TemporaryFolder()
            let named = try folder.file("a\r", Samples.bytes("ean8.png"))
            let list = Array("\(qr)\r\n\r\n\(named)\n\(qr)\r".utf8)
            let expected = "\(qr): qr_code: https://example.org/quietzone\n"
            let result = try await decodeImage(["--files-from", "-"], input: list)
            #expect(result.text == expected + "\(named): ean_8: 96385074\n" + expected, "\(result.messages)")
            // A list without line ends has names as they are.
            let zeros = try await decodeImage(["--files0-from", "-"], input: Array("\(qr)\r\0".utf8))
            #expect(zeros.ending == .exit(1))
        }

        /// A run without pictures has nothing to report, and says so.
        @Test(arguments: [["--files-from", "-"], ["--json", "--files-from", "/dev/null"], ["--json", "-r", "empty"]])
        func noPictures(_ arguments: [String]) async throws {
            let folder = try TemporaryFolder()
            try folder.folder("empty")
            let result = try await decodeImage(arguments.map { $0 == "empty" ? folder[$0] : $0 })
            #expect(result.ending == .exit(0) && result.output.isEmpty)
            #expect(result.messages == "decode-image: no pictures were found, so nothing was read\n")
        }

        @Test func aListWithTheOtherSeparator() async throws {
            let result = try await decodeImage(["--files-from", "-"], input: Array("\(qr)\0\(ean)\0".utf8))
            #expect(result.ending == .exit(1) && result.output.isEmpty)
            #expect(
                result.messages.contains(
                    "decode-image: standard input: the list has NUL characters between the names: use --files0-from"))
        }

        @Test func aListThatIsAFolder() async throws {
            let folder = try TemporaryFolder()
            let result = try await decodeImage(["--files-from", folder.path])
            #expect(result.ending == .exit(1) && result.output.isEmpty)
            #expect(result.messages.contains("\(folder.path): the list cannot be read: Is a directory\n"))
        }

        @Test(
            arguments: [
                (["-lead.png"], 64, "-lead.png looks like an option; write ./-lead.png, or -- before it"),
                // The letters of this one include -h.
                (["-path.png"], 64, "-path.png looks like an option; write ./-path.png, or -- before it"),
                (["--jsn"], 64, "Unknown option '--jsn'. Did you mean '--json'?"),
                ([], 64, "Give a picture, or - for standard input"),
                (["--", "-lead.png"], 0, ""), (["./-lead.png"], 0, ""), (["--annotate", "", "a.png"], 64, "empty"),
                (["--files-from", ""], 64, "The name of a list is empty."),
                ([""], 1, "decode-image: the name of a picture is empty\n"),
                (["."], 1, "is a folder; read all pictures in it with --recursive\n"),
                (
                    ["--max-megapixels", "0.001", "a.png"], 1,
                    "132 x 132 pixels; the limit is 0.001 megapixels; allow more with --max-megapixels\n"
                ),
                (
                    ["--max-file-megabytes", "0.001", "form.png", "form.png"], 1,
                    "bytes; the limit is 1048 bytes; allow more with --max-file-megabytes\n"
                ),
            ] as [([String], Int32, String)])
        func messagesAboutArguments(_ arguments: [String], _ status: Int32, _ message: String) async throws {
            let folder = try TemporaryFolder()
            for name in ["a.png", "-lead.png", "-path.png"] { try folder.file(name, Samples.bytes("qr.png")) }
            try folder.file("form.png", Samples.bytes("order-form.png"))
            let shell = ProgramRunner(
                executable: "/bin/sh",
                leading: ["-c", "cd \"$0\" && exec \"$@\"", folder.path, decodeImage.executable])
            let result = try await shell(arguments)
            #expect(result.ending == .exit(status))
            #expect(message.isEmpty ? result.messages.isEmpty : result.messages.contains(message))
        }

        @Test func aDashInAListIsAFile() async throws {
            let result = try await decodeImage(
                ["--json", "--files-from", "-"], input: Array("-\n\(qr)\n\(ean)\n".utf8))
            let answers = try result.answers()
            #expect(
                answers.mapValues(\.outcome) == [
                    "./-": "not_found", qr: "https://example.org/quietzone", ean: "96385074",
                ])
        }

        @Test func recursive() async throws {
            let folder = try TemporaryFolder()
            try folder.folder("b")
            try folder.folder("b/deep")
            let one = try folder.file("b/deep/one", Samples.bytes("qr.png"))
            let two = try folder.file("a.png", Samples.bytes("ean8.png"))
            try folder.file("notes.txt", Array("nothing to see".utf8))
            try folder.file("notes.jpg", Array("nothing to see".utf8))
            try folder.file("empty.png", [])
            try folder.link("b/circle", to: folder.path)
            try folder.link("b/lost", to: "nowhere")
            let three = try folder.link("c", to: "a.png")
            let pipe = try folder.fifo("pipe")
            let result = try await decodeImage(["--recursive", folder.path])
            #expect(
                result.text == """
                    \(two): ean_8: 96385074
                    \(one): qr_code: https://example.org/quietzone
                    \(three): ean_8: 96385074

                    """)
            #expect(
                result.messages == """
                    decode-image: 6 files skipped: not pictures
                    decode-image: 3 symbols in 3 pictures

                    """, "three no pictures, two links, \(pipe)")
            #expect(result.ending == .exit(0))
            // Without the option, a folder is an invalid picture.
            #expect(try await decodeImage(["--json", folder.path]).answer().error?.code == "is_directory")
        }

        @Test func standardInput() async throws {
            let bytes = try Samples.bytes("qr.png")
            #expect(try await decodeImage(["-"], input: bytes).text == "qr_code: https://example.org/quietzone\n")
            #expect(try await decodeImage(["--json", "-"], input: bytes).answer().source == "-")
            let among = try await decodeImage([ean, "-", ean], input: bytes)
            #expect(
                among.text == "\(ean): ean_8: 96385074\n-: qr_code: https://example.org/quietzone\n"
                    + "\(ean): ean_8: 96385074\n")
            var program = decodeImage
            program.streams.input = .file(qr)
            #expect(try await program(["-", ean]).lines.first == "-: qr_code: https://example.org/quietzone")
            #expect(try await decodeImage(["/dev/stdin"], input: bytes).ending == .exit(0))
            #expect(try await decodeImage(["--json", "-"]).answer().error?.code == "empty_file")
        }

        @Test func help() async throws {
            let result = try await decodeImage(["--help"])
            #expect(result.ending == .exit(0))
            for word in ["EXAMPLES", "decode-image photo.jpg", "EXIT STATUS", "64 ", "--files0-from", "--annotate"] {
                #expect(result.text.contains(word), "\(word)")
            }
            #expect(!result.text.contains("--worker "))
        }

        /// A full disk, which even the help text does not fit on.
        @Test(arguments: ["--help", "--version", "--generate-completion-script=bash"])
        func helpThatCannotBeWritten(_ option: String) async throws {
            let shell = ProgramRunner(
                executable: "/bin/sh", leading: ["-c", "exec \"$0\" \"$@\" >/dev/full", decodeImage.executable])
            let result = try await shell([option])
            #expect(result.ending == .exit(1))
            #expect(
                result.messages == "decode-image: cannot write to standard output: No space left on device\n",
                "\(result.messages)")
        }

        @Test func version() async throws {
            let result = try await decodeImage(["--version"])
            #expect(result.ending == .exit(0))
            let names = result.lines.map { $0.split(separator: " ").first.map(String.init) ?? "" }
            #expect(
                names == [
                    "decode-image", "zbar", "libjpeg-turbo", "libpng", "libwebp", "libheif", "libtiff", "giflib",
                    "OpenJPEG", "libjxl", "pdftoppm", "sandbox:",
                ])
            for line in result.lines.dropLast() { #expect(line.contains(#/ \d+\.\d+/#)) }
        }

        /// The dynamic linker reports the loaded libraries on standard error.
        @Test(
            "Codecs are loaded for the first picture of their format", arguments: ["--version", "--effort", "--json"])
        func codecsAreNotLoaded(_ option: String) async throws {
            let arguments =
                ["--version": [], "--effort": ["fast", Samples.path("qr.png")]][option] ?? [Samples.path("qr.png")]
            var runner = decodeImage
            runner.environment.append("LD_DEBUG=files")
            let result = try await runner([option] + arguments)
            #expect(result.ending == .exit(0))
            #expect(result.messages.contains("libpng"), "the linker says what it loads")
            #expect(result.messages.contains("libjxl.so") == (option == "--version"))
        }

        @Test(arguments: ["bash", "zsh", "fish"]) func completions(_ shell: String) async throws {
            let result = try await decodeImage(["--generate-completion-script", shell])
            #expect(result.ending == .exit(0))
            #expect(result.text.contains("decode-image") && result.text.contains("annotate"))
            // The shell itself checks the syntax.
            guard FileManager.default.isExecutableFile(atPath: "/usr/bin/\(shell)") else { return }
            let check = try await ProgramRunner(executable: "/usr/bin/\(shell)")(["-n"], input: result.output)
            #expect(check.ending == .exit(0), "\(check.messages)")
        }

        @Test(arguments: [["order-form.png"], ["order-form.png", "scene-12mp.jpg"]])
        func annotate(_ files: [String]) async throws {
            let folder = try TemporaryFolder()
            let result = try await decodeImage(["--json", "--annotate", folder["out"]] + files.map(Samples.path))
            #expect(result.ending == .exit(0))
            let answers = try result.answers()
            for file in files {
                let original = try ImageLoader().load(contentsOf: Samples.path(file))
                let annotated = try ImageLoader().load(contentsOf: folder["out/\(file).png"])
                #expect(annotated.format == .png)
                #expect((annotated.width, annotated.height) == (original.width, original.height))
                let answer = try #require(answers[Samples.path(file)])
                #expect(!answer.symbols.isEmpty)
                for symbol in answer.symbols {
                    let corners = symbol.cornerPoints
                    for (start, end) in zip(corners, corners.dropFirst() + corners.prefix(1)) {
                        // Most points along the edge, away from the corners, differ from the original.
                        let changed = (1..<20).count { step in
                            let part = Double(step) / 20
                            let x = min(max(0, Int(start.x + (end.x - start.x) * part)), original.width - 1)
                            let y = min(max(0, Int(start.y + (end.y - start.y) * part)), original.height - 1)
                            return abs(Int(annotated.image[x: x, y: y]) - Int(original.image[x: x, y: y])) > 8
                        }
                        #expect(changed > 10, "\(file): \(symbol.format), \(changed) of 19")
                    }
                }
            }
        }

        @Test func annotatedPicturesOfOneNameStayApart() async throws {
            let folder = try TemporaryFolder()
            try folder.folder("a")
            try folder.folder("b")
            let one = try folder.file("a/code.png", Samples.bytes("qr.png"))
            let two = try folder.file("b/code.png", Samples.bytes("ean8.png"))
            let result = try await decodeImage(["--annotate", folder["out"], one, two])
            #expect(result.ending == .exit(0))
            let sizes = try ["code.png.png", "code.png-2.png"].map { name in
                let image = try ImageLoader().load(contentsOf: folder["out/\(name)"])
                return [image.width, image.height]
            }
            #expect(sizes == [[132, 132], [162, 116]])
        }

        /// Landlock keeps a worker that writes to one folder from opening descriptors of another process.
        @Test(arguments: ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"])
        func annotatedStandardInputOfAList(_ name: String) async throws {
            let folder = try TemporaryFolder()
            let list = try folder.file("list", Array("\(name)\n\(Samples.path("ean8.png"))\n".utf8))
            let result = try await decodeImage(
                ["--annotate", folder["out"], "--files-from", list], input: Samples.bytes("qr.png"))
            #expect(result.ending == .exit(0), "\(result.messages)")
            let own = name.split(separator: "/").last ?? ""
            #expect(try ImageLoader().load(contentsOf: folder["out/\(own).png"]).width == 132)
            #expect(try ImageLoader().load(contentsOf: folder["out/ean8.png.png"]).width == 162)
        }

        @Test func annotationThatCannotBeWritten() async throws {
            let folder = try TemporaryFolder()
            let missing = try await decodeImage(["--annotate", folder["no/such/folder"], qr])
            #expect(missing.ending == .exit(1))
            #expect(missing.messages.contains("no/such/folder"))
            try folder.folder("qr.png.png")
            let inTheWay = "there is a folder of that name; remove it, or choose another folder"
            let taken = try await decodeImage(["--json", "--annotate", folder.path, qr, ean])
            // The result is printed all the same, with a warning.
            #expect(taken.ending == .exit(1))
            #expect(try taken.answers()[qr]?.outcome == "https://example.org/quietzone")
            #expect(
                taken.text.contains(#""warnings":[{"code":"not_written","message":"was read, but its annotated copy"#))
            #expect(taken.text.contains(inTheWay))
            #expect(try taken.answers()[ean]?.outcome == "96385074")
            let alone = try await decodeImage(["--annotate", folder.path, qr])
            #expect(alone.ending == .exit(1))
            #expect(alone.text == "qr_code: https://example.org/quietzone\n")
            #expect(alone.messages.contains("qr.png: was read, but its annotated copy"))
        }

        /// Output never goes to a link, a pipe or a device in place of a file.
        @Test(arguments: [("annotate", "qr.png.png"), ("explain", "index.html")])
        func onlyARegularFileIsReplaced(_ option: String, _ name: String) async throws {
            for kind in ["link", "pipe", "link to a device"] {
                let folder = try TemporaryFolder()
                let target = try folder.file("target", Array("mine".utf8))
                try folder.folder("out")
                switch kind {
                case "link": try folder.link("out/\(name)", to: target)
                case "pipe": _ = try folder.fifo("out/\(name)")
                default: try folder.link("out/\(name)", to: "/dev/full")
                }
                let result = try await decodeImage(["--\(option)", folder["out"], qr])
                #expect(result.ending == .exit(1), "\(kind)")
                #expect(result.text == "qr_code: https://example.org/quietzone\n", "\(kind)")
                #expect(
                    result.messages.contains(
                        "\(folder["out/\(name)"]) cannot be written: it is not a regular file; remove it, or choose "
                            + "another"
                    ),
                    "\(kind): \(result.messages)")
                #expect(readFile(target) == Array("mine".utf8), "\(kind)")
            }
        }

        /// A file of an earlier run is replaced, including the rest of a longer one.
        @Test(arguments: [("annotate", "qr.png.png"), ("explain", "index.html"), ("explain", "picture-1.png")])
        func aFileOfAnEarlierRunIsReplaced(_ option: String, _ name: String) async throws {
            let folder = try TemporaryFolder()
            #expect(try await decodeImage(["--\(option)", folder.path, qr]).ending == .exit(0))
            let bytes = try #require(readFile(folder[name]))
            try folder.file(name, bytes + [UInt8](repeating: 1, count: 1 << 20))
            let result = try await decodeImage(["--\(option)", folder.path, qr])
            #expect(result.ending == .exit(0), "\(result.messages)")
            let after = try #require(readFile(folder[name]))
            #expect(after.count < 1 << 20 && after.starts(with: bytes.prefix(64)))
        }

        /// Files of the user stay, also if they are among the pictures.
        @Test(
            arguments: [
                ("another picture", "annotate", "qr.png.png", ["qr.png.png"]),
                ("a picture that is not named", "annotate", "qr.png.png", []),
                ("the picture itself", "explain", "picture-1.png", nil),
                ("a page", "explain", "index.html", []),
            ] as [(String, String, String, [String]?)])
        func aFileOfTheUserIsNotReplaced(
            _ label: String, _ option: String, _ name: String, _ others: [String]?
        ) async throws {
            let folder = try TemporaryFolder()
            let own = try name == "index.html" ? Array("<p>mine: decode-image".utf8) : Samples.bytes("qr.png")
            try folder.file(name, own)
            let pictures = others.map { [qr] + $0.map { folder[$0] } } ?? [folder[name]]
            let result = try await decodeImage(["--json", "--\(option)", folder.path] + pictures)
            #expect(result.ending == .exit(1))
            #expect(result.lines.count == pictures.count)
            #expect(
                result.text.contains(
                    "there is a file of that name that this program did not write; remove it, or choose another "
                        + "folder"))
            #expect(result.text.contains(#""code":"not_written""#))
            #expect(readFile(folder[name]) == own)
        }

        /// Like a full disk, but without one: no file may grow.
        @Test(arguments: [[], ["ean8.png"]]) func noRoomForAnAnnotatedPicture(_ others: [String]) async throws {
            let folder = try TemporaryFolder()
            let pictures = [qr] + others.map { Samples.path($0) }
            let shell = ProgramRunner(
                executable: "/bin/bash", leading: ["-c", "ulimit -f 0; exec \"$0\" \"$@\"", decodeImage.executable])
            let arguments = ["--json", "--annotate", folder.path] + pictures
            let none = try await shell(arguments)
            #expect(none.ending == .exit(1))
            #expect(none.text.contains("cannot be written: File too large; an empty file is left"), "\(none.text)")
            #expect((readFile(folder["qr.png.png"]) ?? []).isEmpty)
            #expect(try await decodeImage(arguments).ending == .exit(0))
            let copy = try #require(readFile(folder["qr.png.png"]))
            let again = try await shell(arguments)
            #expect(again.ending == .exit(1))
            #expect(try again.answers()[qr]?.outcome == "https://example.org/quietzone")
            #expect(readFile(folder["qr.png.png"]) == copy)
        }

        /// A full disk, if this process may mount one, gets no empty file in place of the annotated picture.
        @Test(arguments: [[], ["ean8.png"]]) func fullDiskForAnAnnotatedPicture(_ others: [String]) async throws {
            let folder = try TemporaryFolder()
            guard try shell("mount -t tmpfs -o size=4k tmpfs '\(folder.path)'").ending == .exit(0) else {
                print("a full disk is not tested: no tmpfs may be mounted here")
                return
            }
            defer { _ = try? shell("umount -l '\(folder.path)'") }
            try shell("dd if=/dev/zero of='\(folder.path)/filler' bs=4k count=1 2>/dev/null")
            let result = try await decodeImage(
                ["--json", "--annotate", folder.path, qr] + others.map { Samples.path($0) })
            #expect(result.ending == .exit(1))
            #expect(result.text.contains(#"cannot be written: No space left on device"}"#), "\(result.text)")
            #expect(try shell("ls '\(folder.path)'").lines == ["filler"])
        }

        /// After the time budget, the symbols found so far are returned, and the search is marked as incomplete.
        @Test func timeBudget() async throws {
            let scene = Samples.path("scene-12mp.jpg")
            let short = try await decodeImage(["--effort", "thorough", "--time-budget", "1", scene])
            #expect(
                short.messages.contains("scene-12mp.jpg: was not searched completely, because the time budget ran out"))
            #expect([.exit(0), .exit(4)].contains(short.ending))
            let json = try await decodeImage(["--json", "--effort", "thorough", "--time-budget", "1", scene, qr])
            #expect(json.text.contains(#""warnings":[{"code":"search_cut_short""#))
            let enough = try await decodeImage(["--json", "--time-budget", "80000", qr])
            #expect(enough.ending == .exit(0) && !enough.text.contains("warnings"))
            #expect(try await decodeImage(["--time-budget", "0", qr]).ending == .exit(64))
        }
    }
}
