internal import BarcodeCore
internal import CBench
internal import ImageCodecs

/// The sets of measured pictures.
struct WorkSets {
    /// The root folder of the project.
    var root: String
    /// The folder for pictures that are rendered for a run.
    var scratch: String

    /// The folder of the corpus, relative to the project.
    static let corpusFolder = "../shared/corpus"

    /// Returns the pictures of `Samples/`, with the truth from `expected.json`.
    func samples() throws -> [WorkPicture] {
        let folder = root + "/Samples"
        return try TruthFiles.samples(Files.read(folder + "/expected.json"), folder: folder)
    }

    /// Indicates whether the corpus exists.
    var hasCorpus: Bool { Files.exists(root + "/" + Self.corpusFolder + "/manifest.jsonl") }

    /// Returns the corpus, or a part of it.
    ///
    /// - Parameter share: takes every n-th picture of each group, so that all groups are covered; 1 takes all.
    func corpus(suites: [String], groups: [String], share: Int) throws -> [WorkPicture] {
        let folder = root + "/" + Self.corpusFolder
        var all = try TruthFiles.corpus(Files.read(folder + "/manifest.jsonl"), folder: folder)
        all = all.filter { suites.isEmpty || suites.contains(String($0.set.dropFirst("corpus/".count))) }
        all = all.filter { groups.isEmpty || groups.contains($0.group) }
        guard !all.isEmpty else {
            throw BenchError("the corpus in \(folder) has no picture of that suite and group: see its README.md")
        }
        var seen: [String: Int] = [:]
        return all.filter { picture in
            defer { seen[picture.set + picture.group, default: 0] += 1 }
            return seen[picture.set + picture.group, default: 0] % share == 0
        }
    }

    /// Returns the pictures of any folder, with unknown truth.
    func folder(_ path: String) throws -> [WorkPicture] {
        let endings = ["jpg", "jpeg", "png", "webp", "pnm", "pgm", "pbm", "ppm"]
        let files = Files.all(in: path).filter { file in
            endings.contains(String(file.split(separator: ".").last ?? "").lowercased())
        }
        guard !files.isEmpty else {
            throw BenchError("\(path) holds no picture whose name ends with \(endings.joined(separator: ", "))")
        }
        return files.map {
            WorkPicture(
                path: $0, name: String($0.dropFirst(path.count + 1)), set: path, group: "all", truth: .unknown, kind: ""
            )
        }
    }

    /// Renders the same scene, with a QR code and an EAN, in sizes from 0.3 to 12 megapixels, as JPEG.
    func sizes() throws -> [WorkPicture] {
        let (qr, ean) = (try symbol("qr.png"), try symbol("ean13.png"))
        let sizes = [(640, 480), (1152, 864), (1632, 1224), (2304, 1728), (3264, 2448), (4000, 3000)]
        return try sizes.map { width, height in
            let image = SceneRenderer(width: width, height: height).render(
                [
                    .init(symbol: qr.image, center: Point(x: 0.3, y: 0.45), size: 0.3, angle: 8),
                    .init(symbol: ean.image, center: Point(x: 0.7, y: 0.6), size: 0.5, angle: -5),
                ], seed: UInt64(width))
            let name = "scene-\(width)x\(height).jpg"
            return WorkPicture(
                path: try write(image, as: name), name: name, set: "sizes", group: "qr_ean",
                truth: .messages([qr.message, ean.message], isPartial: false), kind: "qr_code")
        }
    }

    /// Renders the frames of a camera, as pixels and as JPEG files.
    func frames() throws -> [FrameScene] {
        let symbols = [("qr", try symbol("qr.png"), 0.42), ("ean", try symbol("ean13.png"), 0.6)]
        return try [(640, 480), (1280, 720), (1920, 1080)].flatMap { width, height in
            let renderer = SceneRenderer(width: width, height: height)
            let label = "\(width)x\(height)"
            var scenes = try symbols.map { name, symbol, size in
                let frames = try (0..<FrameScene.frameCount).map { index in
                    // The symbol moves along a slanted line through the middle of the picture, and rotates as it
                    // goes.
                    let progress = Double(index) / Double(FrameScene.frameCount - 1)
                    let item = SceneRenderer.Item(
                        symbol: symbol.image, center: Point(x: 0.3 + 0.4 * progress, y: 0.4 + 0.2 * progress),
                        size: size, angle: -18 + 33 * progress)
                    let image = renderer.render([item], seed: UInt64(1000 * width + index))
                    return try frame(
                        image, "\(name)-\(label)-\(index)", group: label, message: symbol.message)
                }
                return FrameScene(name: "moving_\(name)", size: label, frames: frames)
            }
            let empty = try (0..<FrameScene.frameCount).map { index in
                try frame(
                    renderer.render([], seed: UInt64(1000 * width + 500 + index)), "empty-\(label)-\(index)",
                    group: label, message: nil)
            }
            scenes.append(FrameScene(name: "empty", size: label, frames: empty))
            return scenes
        }
    }

    private func frame(
        _ image: LumaImage, _ name: String, group: String, message: Truth.Message?
    ) throws -> FrameScene.Frame {
        let file = name + ".jpg"
        let picture = WorkPicture(
            path: try write(image, as: file), name: file, set: "frames", group: group,
            truth: .messages(message.map { [$0] } ?? [], isPartial: false), kind: "qr_code")
        // Decoded from the JPEG, so that every reader has the same pixels.
        return FrameScene.Frame(image: try ImageLoader().load(contentsOf: picture.path).image, picture: picture)
    }

    /// Renders the largest scene of ``sizes()`` without its symbols, as JPEG: clutter, print, uneven light and noise.
    func photoWithoutCode() throws -> String {
        let image = SceneRenderer(width: 4000, height: 3000).render([], seed: 4000)
        return try write(image, as: "scene-without-code.jpg")
    }

    /// Renders a white page of about seven megapixels with `count` copies of a sample in rows of eight; for a count
    /// of 1, it is in the first cell.
    func page(of sample: String, count: Int) throws -> LumaImage {
        let symbol = try symbol(sample).image
        let (columns, rows) = (8, 15)
        let (width, height) = (columns * Self.cell, rows * Self.cell)
        var pixels = [UInt8](repeating: 255, count: width * height)
        guard symbol.width <= Self.cell, symbol.height <= Self.cell, count <= columns * rows else {
            throw BenchError("a page has no room for \(count) of \(sample)")
        }
        for index in 0..<count {
            let (left, top) = (index % columns * Self.cell, index / columns * Self.cell)
            for y in 0..<symbol.height {
                for x in 0..<symbol.width { pixels[(top + y) * width + left + x] = symbol[x: x, y: y] }
            }
        }
        return LumaImage(width: width, height: height, pixels: pixels)
    }

    /// The distance between the symbols of a page, in pixels.
    private static let cell = 240

    private func symbol(_ sample: String) throws -> (image: LumaImage, message: Truth.Message) {
        guard let picture = try samples().first(where: { $0.name == sample }),
            case .messages(let messages, _, _) = picture.truth, let message = messages.first
        else { throw BenchError("Samples/expected.json does not name \(sample), which the scenes are made of") }
        return (try ImageLoader().load(contentsOf: picture.path).image, message)
    }

    private func write(_ image: LumaImage, as name: String) throws -> String {
        try Files.makeFolder(scratch)
        let path = scratch + "/" + name
        let status = image.withUnsafePixels {
            qzb_write_jpeg($0.baseAddress, Int32(image.width), Int32(image.height), 90, path)
        }
        guard status == 0 else { throw BenchError("\(path) cannot be written") }
        return path
    }
}

/// A short film.
struct FrameScene {
    /// The number of frames in which a symbol crosses the picture.
    static let frameCount = 30
    /// The frame rate, in frames a second.
    static let rate = 30

    struct Frame {
        var image: LumaImage
        var picture: WorkPicture
    }

    var name: String
    var size: String
    var frames: [Frame]
}
